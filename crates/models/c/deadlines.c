/* Times that a caller hands over: deadlines and durations are read when the call begins.
 *
 * No wait depends on what they are: time passes outside of the program. But POSIX refuses fractions
 * that are no fractions: a sum that was not carried into the seconds gives EINVAL, at once, from
 * every wait that would have to wait.
 * left out: times of select that are out of range (EINVAL; glibc carries them).
 *
 * accesses: visible
 */
#include "caller.h"

/* Whether the fraction is less than a second. The seconds matter to nobody: they are read where somebody may notice. */
int __raddle_time_is_valid(const long *time) {
    enum { BILLION = 1000000000 };
    if (__raddle_checking(MEMORY) || __raddle_checking(RACES))
        (void)*(const volatile long *)&time[0];
    long fraction = time[1];
    return fraction >= 0 && fraction < BILLION;
}

void __raddle_read_time(const long *time) {
    if (!__raddle_checking(MEMORY) && !__raddle_checking(RACES))
        return;
    (void)*(const volatile long *)&time[0];
    (void)*(const volatile long *)&time[1];
}
