/* Accesses that models whose own accesses are hidden make as the caller would make them. */
#ifndef RADDLE_CALLER_H
#define RADDLE_CALLER_H

#include "raddle.h"

/* deadlines.c: reads a time: two words. */
void __raddle_read_time(const long *time);

/* fill.c: writes a result to where the caller wants it. */
void __raddle_give(int *to, int value);
void __raddle_give_bytes(void *to, const unsigned char *from, size_t size);

#endif
