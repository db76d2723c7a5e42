/* One-time initialisation: pthread_once and call_once.
 *
 * The first caller runs the function, the others wait until it has returned. A function that
 * calls once on its own control waits for ever, as in glibc.
 * left out: nothing, but for the cancellation of the function.
 *
 * accesses: hidden
 */
#include "raddle.h"

enum { NOT_BEGUN, RUNNING, DONE };

int pthread_once(int *control, void (*initialise)(void)) {
    __raddle_atomic_begin();
    int state = *control;
    __raddle_block(state != RUNNING);
    if (state == NOT_BEGUN)
        *control = RUNNING;
    __raddle_atomic_end();
    if (state == NOT_BEGUN) {
        initialise();
        *control = DONE;
    }
    return 0;
}

void call_once(int *flag, void (*initialise)(void)) { pthread_once(flag, initialise); }
