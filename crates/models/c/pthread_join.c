/* Joining and detaching threads.
 *
 * A file of its own: in a program that does neither nobody asks which threads can be joined
 * (thread_states.c), and any number of threads can be created.
 * left out: errors other than those of misuse; numbers of threads that are used again.
 *
 * accesses: visible
 */
#include "pthread_types.h"

/* Where a thread that waits for another one's end may be cancelled: it is not joined then. */
static void wait_for_end(pthread_t thread) {
    __raddle_atomic_begin();
    int over = __raddle_thread_ended(thread), cancelled = __raddle_cancel_pending();
    __raddle_block(over || cancelled);
    __raddle_atomic_end();
    if (!over || (cancelled && __raddle_choice(2))) {
        __raddle_thread_not_joined(thread);
        __raddle_cancel_point();
    }
}

int pthread_join(pthread_t thread, void **result) {
    __raddle_cancel_point();
    __raddle_signal_point();
    int error = __raddle_thread_before_join(thread);
    if (error)
        return error;
    if (__raddle_may_cancel())
        wait_for_end(thread);
    void *value = __raddle_join(thread);
    __raddle_thread_after_join(thread);
    if (result)
        *result = value;
    return 0;
}

int pthread_detach(pthread_t thread) { return __raddle_thread_detach(thread); }
