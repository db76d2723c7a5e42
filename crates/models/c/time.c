/* Clocks: any time, each time anew. Those that only run forward never go back, whoever asks.
 *
 * CLOCK_REALTIME, gettimeofday and timespec_get can be set, so they may go back; fractions of
 * seconds are in range. time and clock never decrease. Clocks stand between 1970 and 2242, and a
 * processor has worked for less than 36 years: what a program computes with them (a difference in
 * nanoseconds, a deadline some seconds ahead) does not overflow where it would not in this world.
 * left out: calls do not fail, different clocks do not agree with each other, and time does not
 * pass while threads run or sleep unless the program looks; a thread's own processor time that is
 * less than what another thread has seen of its own.
 *
 * accesses: visible
 */
#include "raddle.h"

typedef struct {
    long seconds;
    long fraction;
} moment;

enum { REALTIME = 0, CLOCKS = 8, BILLION = 1000000000 };

/* Any number of some bits, as far as a long has them. */
static long any(int bits) { return (long)(__raddle_input_u64() & ((1ull << bits) - 1) & (~0ul >> 1)); }

static moment any_moment(unsigned units) {
    unsigned fraction = __raddle_input_u32();
    return (moment){any(33), (long)(fraction < units ? fraction : units - 1)};
}

/* A number that is not smaller than the last one. */
static long later(long *last, int bits) {
    __raddle_atomic_begin();
    long now = any(bits);
    if (now < *last)
        now = *last;
    *last = now;
    __raddle_atomic_end();
    return now;
}

long time(long *result) {
    static long last;
    long now = later(&last, 33);
    if (result)
        *result = now;
    return now;
}

long clock(void) {
    static long last;
    return later(&last, 50);
}

static int set(moment *result, unsigned units) {
    *result = any_moment(units);
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
    moment now = any_moment(BILLION), before = last[clock];
    if (now.seconds < before.seconds || (now.seconds == before.seconds && now.fraction < before.fraction))
        now = before;
    last[clock] = now;
    __raddle_atomic_end();
    *result = now;
    return 0;
}

/* Who may set clocks changes none of those that are asked for here: each time is any already. */
int clock_settime(int clock, const moment *time) {
    moment read = *time;
    if (read.fraction < 0 || read.fraction >= BILLION) {
        *__errno_location() = EINVAL;
        return -1;
    }
    *__errno_location() = EPERM;
    return __raddle_choice(2) ? -1 : 0;
}
int settimeofday(const moment *time, const void *zone) {
    if (time)
        (void)*(const volatile long *)&time->seconds;
    *__errno_location() = EPERM;
    return __raddle_choice(2) ? -1 : 0;
}
