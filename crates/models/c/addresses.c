/* Addresses of the internet as texts: arpa/inet.h.
 *
 * Those of version 4 are read and written as they are. A text that may be one of version 6 is taken
 * for one or not, and has any value; one of them as a text is any text that fits.
 * inet_aton and inet_addr know further forms (two or three numbers, octal, hexadecimal), which may
 * have any value. inet_ntoa writes to one place: threads that use it without a lock race.
 * left out: what addresses of version 6 look like, and the further forms.
 *
 * accesses: visible
 */
#include "any.h"

enum { AF_INET = 2, AF_INET6 = 10, ENOSPC = 28, EAFNOSUPPORT = 97, QUAD = 16, LONGEST = 46 };

/* Four decimal numbers without zeros in front, and nothing else. */
static int read_quad(const char *text, unsigned char *to) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        int digits = 0;
        for (; *text >= '0' && *text <= '9'; text++, digits++) {
            if (digits != 0 && value == 0)
                return 0;
            value = value * 10 + (unsigned)(*text - '0');
            if (value > 255)
                return 0;
        }
        if (digits == 0 || *text != (i < 3 ? '.' : 0))
            return 0;
        text++;
        bytes[i] = (unsigned char)value;
    }
    for (int i = 0; i < 4; i++)
        to[i] = bytes[i];
    return 1;
}

/* With its zero; gives the size. */
static unsigned write_quad(const unsigned char *from, char *to) {
    unsigned at = 0;
    for (int i = 0; i < 4; i++) {
        unsigned value = from[i];
        if (value >= 100)
            to[at++] = (char)('0' + value / 100);
        if (value >= 10)
            to[at++] = (char)('0' + value / 10 % 10);
        to[at++] = (char)('0' + value % 10);
        to[at++] = i < 3 ? '.' : 0;
    }
    return at;
}

int inet_pton(int family, const char *text, void *to) {
    if (family == AF_INET)
        return read_quad(text, to);
    read_text(text);
    if (family != AF_INET6)
        return fails_with(EAFNOSUPPORT);
    if (__raddle_choice(2))
        return 0;
    __raddle_fill(to, 16);
    return 1;
}

const char *inet_ntop(int family, const void *from, char *to, unsigned size) {
    if (family == AF_INET) {
        char text[QUAD];
        unsigned length = write_quad(from, text);
        if (length > size) {
            fails_with(ENOSPC);
            return NULL;
        }
        for (unsigned i = 0; i < length; i++)
            to[i] = text[i];
        return to;
    }
    if (family != AF_INET6) {
        fails_with(EAFNOSUPPORT);
        return NULL;
    }
    __raddle_read_bytes(from, 16);
    /* From "::" on. */
    if (size < 3 || (size < LONGEST && __raddle_choice(2))) {
        fails_with(ENOSPC);
        return NULL;
    }
    size_t length = 2 + any_up_to((size < LONGEST ? size : LONGEST) - 3);
    __raddle_fill(to, length);
    to[length] = 0;
    return to;
}

int inet_aton(const char *text, unsigned *to) {
    unsigned char bytes[4];
    if (!read_quad(text, bytes)) {
        read_text(text);
        if (__raddle_choice(2))
            return 0;
        __raddle_fill(bytes, 4);
    }
    if (to)
        *to = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned)bytes[3] << 24;
    return 1;
}

unsigned inet_addr(const char *text) {
    unsigned address;
    return inet_aton(text, &address) ? address : ~0u;
}

char *inet_ntoa(unsigned address) {
    static char the_result_of_inet_ntoa[QUAD];
    unsigned char bytes[4] = {(unsigned char)address, (unsigned char)(address >> 8), (unsigned char)(address >> 16),
                              (unsigned char)(address >> 24)};
    write_quad(bytes, the_result_of_inet_ntoa);
    return the_result_of_inet_ntoa;
}
