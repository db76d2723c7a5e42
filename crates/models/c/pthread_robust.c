/* Robust mutexes.
 *
 * POSIX: if a thread ends while it holds a robust mutex, the next one that locks it holds it, and
 * is told so by EOWNERDEAD. It makes the mutex consistent again with pthread_mutex_consistent; if it unlocks
 * it before that, the mutex is lost, and every later lock answers ENOTRECOVERABLE. Each thread has
 * a list of the robust mutexes that it holds, which goes through the mutexes.
 * left out: processes that end; condition variables with robust mutexes (UNKNOWN).
 *
 * accesses: hidden
 */
#include "pthread_types.h"

enum { SOUND, OWNER_DIED, NOT_REPAIRED, LOST };
enum { EOWNERDEAD = 130, ENOTRECOVERABLE = 131 };

static _Thread_local pthread_mutex_t *held;

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    if (robust != 0 && robust != 1)
        return EINVAL;
    attr->kind = robust ? attr->kind | ROBUST : attr->kind & ~ROBUST;
    return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
    *robust = (attr->kind & ROBUST) != 0;
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    if (!(mutex->kind & ROBUST) || mutex->state != NOT_REPAIRED)
        return EINVAL;
    mutex->state = SOUND;
    return 0;
}

/* Names of glibc before POSIX had them. */
int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attr, int robust) {
    return pthread_mutexattr_setrobust(attr, robust);
}
int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attr, int *robust) {
    return pthread_mutexattr_getrobust(attr, robust);
}
int pthread_mutex_consistent_np(pthread_mutex_t *mutex) { return pthread_mutex_consistent(mutex); }

int __raddle_may_be_robust(void) { return 1; }

/* The caller has just got the lock. Gives what its function answers. */
int __raddle_robust_taken(void *taken) {
    pthread_mutex_t *mutex = taken;
    if (mutex->state == LOST) {
        __raddle_unlock(&mutex->word);
        return ENOTRECOVERABLE;
    }
    mutex->next_held = held;
    held = mutex;
    if (mutex->state == SOUND)
        return 0;
    mutex->state = NOT_REPAIRED;
    return EOWNERDEAD;
}

/* The caller is about to release the lock. */
void __raddle_robust_released(void *released) {
    pthread_mutex_t *mutex = released;
    pthread_mutex_t **link = &held;
    while (*link && *link != mutex)
        link = &(*link)->next_held;
    if (*link)
        *link = mutex->next_held;
    if (mutex->state == NOT_REPAIRED)
        mutex->state = LOST;
}

void __raddle_release_robust(void) {
    while (held) {
        pthread_mutex_t *mutex = held;
        held = mutex->next_held;
        mutex->count = 0;
        mutex->state = OWNER_DIED;
        __raddle_unlock(&mutex->word);
    }
}
