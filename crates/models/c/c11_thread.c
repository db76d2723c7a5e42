/* Threads of threads.h, over the same primitives as pthread_thread.c.
 *
 * The start function returns int, which travels as a pointer.
 * left out: thrd_create that fails with thrd_nomem (with --may-fail it fails with thrd_error).
 *
 * accesses: visible
 */
#include "pthread_types.h"

enum { thrd_success, thrd_error = 2 };

static void *run(void *start, void *argument) {
    int result = ((int (*)(void *))start)(argument);
    __raddle_thread_cleanup();
    return (void *)(long)result;
}

int thrd_create(pthread_t *thread, int (*start)(void *), void *argument) {
    if (__raddle_may_fail("pthread_create") && __raddle_choice(2))
        return thrd_error;
    /* As in pthread_create. */
    must_exist(thread);
    __raddle_atomic_begin();
    pthread_t number = __raddle_create2(run, (void *)start, argument);
    *thread = number;
    __raddle_thread_begins(number, NULL);
    __raddle_last_begins();
    __raddle_atomic_end();
    return thrd_success;
}

void thrd_exit(int value) {
    __raddle_thread_cleanup();
    __raddle_thread_exit((void *)(long)value);
}

pthread_t thrd_current(void) { return __raddle_self(); }

int thrd_equal(pthread_t a, pthread_t b) { return a == b; }
