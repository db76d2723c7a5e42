/* Terminals: termios.h.
 *
 * The terminal is outside: its state is arbitrary whenever it is asked for, and calls may fail.
 * left out: that what was set is what is told afterwards; speeds that do not exist; sessions and pseudo-terminals
 * (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

enum { EBADF = 9, SETTINGS = 32 };

typedef struct {
    unsigned input, output, control, local;
    unsigned char line, characters[SETTINGS];
    unsigned input_speed, output_speed;
} state;

static int change(int fd) {
    return __raddle_fd_kind(fd) == FD_CLOSED ? fails_with(EBADF) : zero_or_fails();
}

int tcgetattr(int fd, state *to) {
    if (change(fd) < 0)
        return -1;
    __raddle_fill(to, sizeof *to);
    return 0;
}

int tcsetattr(int fd, int when, const state *from) {
    __raddle_read_bytes(from, sizeof *from);
    return change(fd);
}

int tcdrain(int fd) {
    __raddle_cancel_point();
    return change(fd);
}
int tcflush(int fd, int queue) { return change(fd); }
int tcflow(int fd, int action) { return change(fd); }
int tcsendbreak(int fd, int duration) { return change(fd); }

/* As glibc does. */
void cfmakeraw(state *s) {
    enum { ONE_BYTE = 060, PARITY = 0400, LEAST = 6, TENTHS = 5 };
    s->input &= ~(unsigned)(01 | 02 | 010 | 040 | 0100 | 0200 | 0400 | 02000);
    s->output &= ~1u;
    s->local &= ~(unsigned)(010 | 0100 | 02 | 01 | 0100000);
    s->control = (s->control & ~(unsigned)(ONE_BYTE | PARITY)) | ONE_BYTE;
    s->characters[LEAST] = 1;
    s->characters[TENTHS] = 0;
}

/* The name is one object that each call writes anew. */
int ttyname_r(int fd, char *to, size_t size) {
    enum { ENOTTY = 25, LONGEST = 15 };
    if (may_fail())
        return ENOTTY;
    if (size < LONGEST + 1)
        return ERANGE;
    size_t length = 1 + any_up_to(LONGEST - 1);
    __raddle_fill(to, length);
    to[length] = 0;
    return 0;
}
char *ttyname(int fd) {
    static char the_name_of_ttyname[16];
    int error = ttyname_r(fd, the_name_of_ttyname, sizeof the_name_of_ttyname);
    if (error)
        fails_with(error);
    return error ? NULL : the_name_of_ttyname;
}
int tcgetpgrp(int fd) { return change(fd) < 0 ? -1 : 1 + (int)(__raddle_input_u32() >> 2); }
int tcsetpgrp(int fd, int group) { return change(fd); }
unsigned cfgetispeed(const state *s) { return s->input_speed; }
unsigned cfgetospeed(const state *s) { return s->output_speed; }
int cfsetispeed(state *s, unsigned speed) {
    s->input_speed = speed;
    return 0;
}
int cfsetospeed(state *s, unsigned speed) {
    s->output_speed = speed;
    return 0;
}
int cfsetspeed(state *s, unsigned speed) { return cfsetispeed(s, speed) + cfsetospeed(s, speed); }
