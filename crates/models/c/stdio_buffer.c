/* Buffers that the program gives to streams.
 *
 * C 7.21.5.6: the array must exist as long as the stream has it, that is up to fclose. Whoever uses the stream then uses the
 * array: if it is gone, as a local variable of a function that has returned, that is a use of what does not exist. setvbuf
 * may fail, and the stream keeps the buffer that it has.
 * A file of its own: in programs that give no buffers nobody asks (HOOKS in crates/frontend/src/lower/hooks.rs).
 * left out: what is in the buffer; that the end of the program uses the buffers of all streams.
 *
 * accesses: hidden
 */
#include "any.h"

/* stdio_stream.c. */
extern void *stdout;
void **__raddle_stream_buffer(void *file);

enum { FULL, LINE, NONE };

void __raddle_buffer_use(void *file) {
    void *buffer = *__raddle_stream_buffer(file);
    if (buffer)
        must_exist(buffer);
}

/* Of functions that print without naming the stream. */
void __raddle_stdout_use(void) { __raddle_stream_use(stdout); }

int setvbuf(void *file, char *buffer, int mode, size_t size) {
    __raddle_stream_use(file);
    if (mode < FULL || mode > NONE || may_fail())
        return -1;
    if (mode == NONE)
        *__raddle_stream_buffer(file) = NULL;
    else if (buffer)
        *__raddle_stream_buffer(file) = buffer;
    return 0;
}

void setbuf(void *file, char *buffer) {
    __raddle_stream_use(file);
    *__raddle_stream_buffer(file) = buffer;
}
