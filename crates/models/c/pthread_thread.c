/* Threads: start, end, join.
 *
 * pthread_create stores the new thread's number before the thread begins, as glibc does and
 * programs rely on (POSIX would also let it store the number later). It never fails here.
 * Joining a thread twice or a detached one is undefined; here both give the thread's result.
 * Joining oneself waits for ever (glibc answers EDEADLK instead).
 *
 * accesses: visible
 */
#include "pthread_types.h"

int pthread_create(pthread_t *thread, const void *attr, void *(*start)(void *), void *argument) {
    __raddle_atomic_begin();
    *thread = __raddle_create(start, argument);
    __raddle_atomic_end();
    return 0;
}

int pthread_join(pthread_t thread, void **result) {
    void *value = __raddle_join(thread);
    if (result)
        *result = value;
    return 0;
}

void pthread_exit(void *value) {
    __raddle_thread_cleanup();
    __raddle_thread_exit(value);
}

int pthread_detach(pthread_t thread) { return 0; }

pthread_t pthread_self(void) { return __raddle_self(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
