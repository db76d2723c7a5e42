/* errno: an int of each thread.
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "raddle.h"

int *__errno_location(void) {
    static _Thread_local int number;
    return &number;
}
