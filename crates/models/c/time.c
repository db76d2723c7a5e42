/* Clocks: any time, each time anew (it may even go back).
 *
 * accesses: visible
 */
#include "raddle.h"

typedef struct {
    long seconds;
    long fraction;
} moment;

static long any(void) { return (long)__raddle_input_u64(); }

long time(long *result) {
    long now = any();
    if (result)
        *result = now;
    return now;
}

long clock(void) { return any(); }

static int set(moment *result, unsigned long units) {
    result->seconds = any();
    result->fraction = (long)((unsigned long)any() % units);
    return 0;
}

int gettimeofday(moment *result, void *zone) { return set(result, 1000000); }
int clock_gettime(int clock, moment *result) { return set(result, 1000000000); }
int timespec_get(moment *result, int base) {
    set(result, 1000000000);
    return base;
}
