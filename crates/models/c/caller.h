/* Accesses that models whose own accesses are hidden make as the caller would make them. */
#ifndef RADDLE_CALLER_H
#define RADDLE_CALLER_H

#include "raddle.h"

/* deadlines.c: reads a time: two words. The first function says whether the second one is a number of nanoseconds
 * below a second. */
int __raddle_time_is_valid(const long *time);
void __raddle_read_time(const long *time);

/* fill.c: writes a result to where the caller wants it. */
void __raddle_give(int *to, int value);
void __raddle_give_bytes(void *to, const unsigned char *from, size_t size);

#endif
