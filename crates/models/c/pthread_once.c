/* One-time initialisation: pthread_once and call_once.
 *
 * The first caller runs the function, the others wait until it has returned. A function that
 * calls once on its own control waits for ever, as in glibc. If the thread is cancelled, or ends, in the function, the
 * call counts as if it had never been made.
 * left out: a thread that ends itself in the function, in programs that never cancel one.
 *
 * accesses: hidden
 */
#include "raddle.h"

enum { NOT_BEGUN, RUNNING, DONE };

static void begin_again(void *control) { *(int *)control = NOT_BEGUN; }

int pthread_once(int *control, void (*initialise)(void)) {
    __raddle_atomic_begin();
    int state = *control;
    __raddle_block(state != RUNNING);
    if (state == NOT_BEGUN)
        *control = RUNNING;
    __raddle_atomic_end();
    if (state == NOT_BEGUN) {
        void *handler[3];
        __raddle_handler_begins(handler, begin_again, control);
        initialise();
        __raddle_handler_ends(handler);
        *control = DONE;
    }
    return 0;
}

void call_once(int *flag, void (*initialise)(void)) { pthread_once(flag, initialise); }
