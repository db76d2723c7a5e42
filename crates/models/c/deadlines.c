/* Times that a caller hands over: deadlines and durations are read when the call begins.
 *
 * No wait depends on what they are: time passes outside of the program. Only where `memory` or `races` is checked does
 * anybody notice.
 * left out: times that are out of range (EINVAL).
 *
 * accesses: visible
 */
#include "caller.h"

void __raddle_read_time(const long *time) {
    if (!__raddle_checking(MEMORY) && !__raddle_checking(RACES))
        return;
    (void)*(const volatile long *)&time[0];
    (void)*(const volatile long *)&time[1];
}
