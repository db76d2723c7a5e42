/* Which threads exist, and whether each can still be joined or detached.
 *
 * POSIX: joining or detaching a thread that was joined or detached before, or that never
 * existed, is undefined, and so is joining oneself: "locks" reports it. Where "locks" is not
 * checked the call fails as in glibc: ESRCH for a thread that has been joined or never was,
 * EINVAL for a detached one or one that another thread waits for (but detaching the latter
 * succeeds and changes nothing), EDEADLK for the caller itself. In glibc these answers are
 * luck: the number of a thread that is gone may belong to another one by then; here numbers
 * are never used again. Two threads that join each other wait for ever (glibc answers EDEADLK).
 * Simplified: at most 1023 threads in a run, unless nobody joins, detaches, cancels or signals a thread: then
 * none of this is asked for, and threads begin without it (HOOKS in crates/frontend/src/lower/hooks.rs).
 * left out: more than 1023 threads where it is (UNKNOWN), and numbers of threads that are used again.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

enum { NO_THREAD, JOINABLE, BEING_JOINED, JOINED, DETACHED };

static unsigned char states[THREADS] = {[1] = JOINABLE};

/* Called in the atomic section that creates the thread. */
void __raddle_thread_begins(pthread_t thread, const pthread_attr_t *attr) {
    if (thread >= THREADS)
        __raddle_unsupported("more than 1023 threads");
    states[thread] = attr && attr->detach_state ? DETACHED : JOINABLE;
}

static void check_state(int state) {
    __raddle_check(LOCKS, state != NO_THREAD, "the thread to join or detach never existed");
    __raddle_check(LOCKS, state != BEING_JOINED,
                   "another thread waits to join this thread already");
    __raddle_check(LOCKS, state != JOINED, "the thread to join or detach is joined already");
    __raddle_check(LOCKS, state != DETACHED, "the thread to join or detach is detached");
}

/* Gives the state; one that is joinable is the next one from then on. */
static int take(pthread_t thread, unsigned char next) {
    unsigned char state = JOINABLE;
    if (thread >= THREADS)
        state = NO_THREAD;
    else
        __atomic_compare_exchange_n(&states[thread], &state, next, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
    if (state != JOINABLE)
        check_state(state);
    return state;
}

int __raddle_thread_before_join(pthread_t thread) {
    if (thread == __raddle_self()) {
        __raddle_check(LOCKS, 0, "the thread joins itself");
        return EDEADLK;
    }
    int state = take(thread, BEING_JOINED);
    return state == JOINABLE ? 0 : state == NO_THREAD || state == JOINED ? ESRCH : EINVAL;
}

void __raddle_thread_after_join(pthread_t thread) { states[thread] = JOINED; }

void __raddle_thread_not_joined(pthread_t thread) { states[thread] = JOINABLE; }

int __raddle_thread_before_cancel(pthread_t thread) {
    int state = thread < THREADS ? states[thread] : NO_THREAD;
    __raddle_check(LOCKS, state != NO_THREAD, "the thread to cancel never existed");
    __raddle_check(LOCKS, state != JOINED, "the thread to cancel is joined already");
    return state == NO_THREAD || state == JOINED ? ESRCH : 0;
}

int __raddle_thread_detach(pthread_t thread) {
    int state = take(thread, DETACHED);
    return state == NO_THREAD || state == JOINED ? ESRCH : state == DETACHED ? EINVAL : 0;
}
