/* What happens when a thread ends, in programs where that is more than nothing.
 *
 * Lowering lets a thread run here, and pthread_exit call this, if the program uses thread-specific data,
 * robust mutexes, cancellation, joins that give up, or the end of the last thread (thread_last.c;
 * HOOKS and LAST in crates/frontend/src/lower/hooks.rs).
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

static _Bool ended[THREADS];

/* From then on a join of the thread does not wait, but for the end of its last step. */
int __raddle_thread_ended(pthread_t thread) {
    return thread < THREADS && __atomic_load_n(&ended[thread], __ATOMIC_SEQ_CST);
}

void __raddle_note_end(void) {
    __atomic_store_n(&ended[__raddle_self()], 1, __ATOMIC_SEQ_CST);
}

void __raddle_thread_cleanup(void) {
    __raddle_destroy_values();
    __raddle_release_robust();
    __raddle_note_end();
    __raddle_last_ends();
}

void *__raddle_thread_main(void *(*start)(void *), void *argument) {
    void *result = start(argument);
    __raddle_thread_cleanup();
    return result;
}
