/* Threads: start and end.
 *
 * pthread_create stores the new thread's number before the thread begins, as glibc does and
 * programs rely on (POSIX would also let it store the number later). It fails only with --may-fail pthread_create.
 * Which threads can be joined and detached: thread_states.c.
 * left out: errors other than EAGAIN; a number that is stored later.
 *
 * accesses: visible
 */
#include "pthread_types.h"

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                   void *argument) {
    if (__raddle_may_fail("pthread_create") && __raddle_choice(2))
        return EAGAIN;
    /* Not only in the section: a thread is made in it, or nothing happens. */
    if (attr)
        must_exist(attr);
    must_exist(thread);
    __raddle_atomic_begin();
    pthread_t number = __raddle_create(start, argument);
    *thread = number;
    __raddle_thread_begins(number, attr);
    __raddle_last_begins();
    __raddle_atomic_end();
    return 0;
}

void pthread_exit(void *value) {
    __raddle_cleanup_handlers();
    __raddle_thread_cleanup();
    __raddle_thread_exit(value);
}

pthread_t pthread_self(void) { return __raddle_self(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
