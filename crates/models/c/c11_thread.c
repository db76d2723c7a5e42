/* Threads of threads.h, over the same primitives as pthread_thread.c.
 *
 * The start function returns int, which travels as a pointer.
 *
 * accesses: visible
 */
#include "raddle.h"

enum { thrd_success };

static void *run(void *start, void *argument) {
    int result = ((int (*)(void *))start)(argument);
    __raddle_thread_cleanup();
    return (void *)(long)result;
}

int thrd_create(pthread_t *thread, int (*start)(void *), void *argument) {
    __raddle_atomic_begin();
    *thread = __raddle_create2(run, (void *)start, argument);
    __raddle_atomic_end();
    return thrd_success;
}

int thrd_join(pthread_t thread, int *result) {
    int value = (int)(long)__raddle_join(thread);
    if (result)
        *result = value;
    return thrd_success;
}

void thrd_exit(int value) {
    __raddle_thread_cleanup();
    __raddle_thread_exit((void *)(long)value);
}

int thrd_detach(pthread_t thread) { return thrd_success; }

pthread_t thrd_current(void) { return __raddle_self(); }

int thrd_equal(pthread_t a, pthread_t b) { return a == b; }
