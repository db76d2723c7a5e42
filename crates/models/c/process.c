/* The process and the machine it runs on: any number that fits.
 *
 * accesses: hidden
 */
#include "raddle.h"

static int any_positive(void) {
    int value = __raddle_input_u32() & 0x7fffffff;
    return value ? value : 1;
}

/* One process, so one number; a different one in each run. */
int getpid(void) {
    static int number;
    __raddle_atomic_begin();
    if (number == 0)
        number = any_positive();
    int result = number;
    __raddle_atomic_end();
    return result;
}

int gettid(void) { return (int)__raddle_self(); }
int getpagesize(void) { return 4096; }
long sysconf(int name) { return any_positive(); }
