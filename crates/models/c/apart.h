/* Blocks that must not overlap.
 *
 * C says of the functions that copy (all but memmove and its kin) that what is read and what is written are
 * apart; otherwise anything may happen, and does: copies go in any direction, by pieces of any size.
 */
#ifndef RADDLE_APART_H
#define RADDLE_APART_H

#include "raddle.h"

/* Differences are unsigned and wrap, so no sum can overflow: blocks are apart if each begins behind the other's
 * end. Nothing is apart from everything. */
static inline _Bool are_apart(const void *to, size_t written, const void *from, size_t read) {
    uintptr_t up = (uintptr_t)to - (uintptr_t)from;
    return written == 0 || read == 0 || (up >= read && 0 - up >= written);
}

static inline void texts_are_apart(const void *to, const void *from, size_t size) {
    if (__raddle_checking(MEMORY))
        __raddle_check(MEMORY, are_apart(to, size, from, size),
                       "the text that is copied overlaps with the place that it is copied to");
}

/* A copy of a block onto itself is harmless, and what compilers make of `*p = *p`. */
static inline void blocks_are_apart(const void *to, const void *from, size_t size) {
    if (__raddle_checking(MEMORY))
        __raddle_check(MEMORY, to == from || are_apart(to, size, from, size),
                       "the block that is copied overlaps with the place that it is copied to (memmove allows that)");
}

#endif
