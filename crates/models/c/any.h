/* What models of the environment share: arbitrary answers, failures, and each other's functions.
 *
 * Whether a call fails is a choice, so that every engine looks at both; a number that comes from
 * outside is an input.
 */
#ifndef RADDLE_ANY_H
#define RADDLE_ANY_H

#include "raddle.h"

static inline int any_int(void) { return (int)__raddle_input_u32(); }
static inline long any_long(void) { return (long)__raddle_input_u64(); }
static inline int may_fail(void) { return __raddle_choice(2) != 0; }

/* Sets errno and returns -1. */
static inline int fails_with(int error) {
    *__errno_location() = error;
    return -1;
}

/* Fails for a reason that is not ours: any number that errno can be. */
static inline int fails(void) { return fails_with(1 + (int)(__raddle_input_u8() & 127)); }

/* Succeeds with 0, or fails. */
static inline int zero_or_fails(void) { return may_fail() ? fails() : 0; }

/* Any number from 0 to the limit. */
static inline size_t any_up_to(size_t limit) {
    size_t value = (size_t)__raddle_input_u64();
    return value <= limit ? value : limit;
}

/* fill.c: arbitrary bytes, written as the caller would write them. */
void __raddle_fill(void *to, size_t size);
/* output_reads.c: bytes that are read, as the caller would read them; strings, here without limit. */
void __raddle_read_bytes(const void *from, size_t size);
void __raddle_read_string(const char *s, int most);
static inline void read_text(const char *s) { __raddle_read_string(s, -1); }

/* stdio_stream.c: a use of a stream, which must be open; what a read has met. */
void __raddle_stream_use(void *file);
void __raddle_stream_ends(void *file, int error);
/* Room for one character: 0 if there is one already; 1 + the character, or 0. */
int __raddle_stream_push(void *file, int c);
int __raddle_stream_pop(void *file);

/* descriptors.c: kinds of descriptors, and what has a state in this process. */
enum { FD_CLOSED, FD_OTHER, FD_PIPE_IN, FD_PIPE_OUT, FD_EVENT, FD_EPOLL, FD_PAIR, FD_TIMER, FD_SIGNAL, FD_QUEUE, FD_INOTIFY };

int __raddle_fd_new(int kind);
/* FD_CLOSED for a number that is no descriptor. */
int __raddle_fd_kind(int fd);
/* Whether a read (or write) of a pipe, pair of sockets or event counter would not wait. */
int __raddle_fd_ready(int fd, int writing);
/* Whether there is something to read; whether the other end is closed: nothing more comes, or nobody reads (2: both,
 * of a pair of sockets). */
int __raddle_fd_has_data(int fd);
/* A number that is another one after each write, and after the other end was closed; 0 for what is outside. */
unsigned __raddle_fd_changes(int fd);
/* How many bytes can be read of a pipe or a pair of sockets. */
int __raddle_fd_count(int fd);
int __raddle_fd_is_left(int fd);
int __raddle_fd_waits(int fd);
/* Inside an atomic section and ready: take or put up to `size` bytes, as read and write do (8 or
 * more for an event counter); -1 if nobody reads what is put. */
ssize_t __raddle_fd_take(int fd, void *to, size_t size);
ssize_t __raddle_fd_put(int fd, const void *from, size_t size);

#endif
