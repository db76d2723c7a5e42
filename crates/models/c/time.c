/* Clocks: any time, each time anew. Those that only run forward never go back, whoever asks.
 *
 * CLOCK_REALTIME, gettimeofday and timespec_get can be set, so they may go back; fractions of
 * seconds are in range. time and clock never decrease.
 * left out: calls do not fail, different clocks do not agree with each other, and time does not
 * pass while threads run or sleep unless the program looks.
 *
 * accesses: visible
 */
#include "raddle.h"

typedef struct {
    long seconds;
    long fraction;
} moment;

enum { REALTIME = 0, CLOCKS = 8, BILLION = 1000000000 };

static long any(void) { return (long)__raddle_input_u64(); }

static long any_positive(void) { return (long)(__raddle_input_u64() & (~0ul >> 1)); }

/* A number that is not smaller than the last one. */
static long later(long *last) {
    __raddle_atomic_begin();
    long now = any_positive();
    __raddle_assume(now >= *last);
    *last = now;
    __raddle_atomic_end();
    return now;
}

long time(long *result) {
    static long last;
    long now = later(&last);
    if (result)
        *result = now;
    return now;
}

long clock(void) {
    static long last;
    return later(&last);
}

static int set(moment *result, unsigned long units) {
    result->seconds = any();
    result->fraction = (long)((unsigned long)any() % units);
    return 0;
}

int gettimeofday(moment *result, void *zone) { return set(result, 1000000); }

int timespec_get(moment *result, int base) {
    set(result, BILLION);
    return base;
}

int clock_gettime(int clock, moment *result) {
    static moment last[CLOCKS];
    if (clock <= REALTIME || clock >= CLOCKS)
        return set(result, BILLION);
    __raddle_atomic_begin();
    moment now = {any_positive(), (long)(__raddle_input_u32() % BILLION)};
    moment before = last[clock];
    __raddle_assume(now.seconds > before.seconds ||
                    (now.seconds == before.seconds && now.fraction >= before.fraction));
    last[clock] = now;
    __raddle_atomic_end();
    *result = now;
    return 0;
}
