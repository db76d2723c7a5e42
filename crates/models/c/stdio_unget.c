/* A character pushed back into a stream: ungetc.
 *
 * The next read gives it again, whatever comes otherwise; a change of the position forgets it. The
 * standard promises room for one. Other models ask for it by a hook, so that reading costs nothing
 * where nobody pushes back.
 * left out: more than one at a time (the second call fails, as the standard allows); formatted
 * input forgets it, and may give anything.
 *
 * accesses: hidden
 */
#include "any.h"

int ungetc(int c, void *file) {
    __raddle_stream_use(file);
    if (c == -1)
        return -1;
    return __raddle_stream_push(file, (unsigned char)c) ? (unsigned char)c : -1;
}

int __raddle_pushed_back(void *file) { return __raddle_stream_pop(file); }
