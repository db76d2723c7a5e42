/* Threads: start, end, join.
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
    __raddle_atomic_end();
    return 0;
}

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

void pthread_exit(void *value) {
    __raddle_cleanup_handlers();
    __raddle_thread_cleanup();
    __raddle_thread_exit(value);
}

int pthread_detach(pthread_t thread) { return __raddle_thread_detach(thread); }

pthread_t pthread_self(void) { return __raddle_self(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
