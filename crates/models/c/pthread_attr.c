/* Attribute objects of pthread.h.
 *
 * Kept: the detach state of a thread and the kind of a mutex. All others
 * (stack sizes, scheduling, sharing between processes, protocols, clocks) have no effect on what
 * is checked and are accepted and forgotten. Robust mutexes are not modelled.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

int pthread_attr_init(pthread_attr_t *attr) {
    attr->detach_state = 0;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) { return 0; }

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != 0 && state != 1)
        return EINVAL;
    attr->detach_state = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = attr->detach_state;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) { return 0; }
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) { return 0; }
int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) { return 0; }
int pthread_attr_setscope(pthread_attr_t *attr, int scope) { return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) { return 0; }
int pthread_attr_setschedparam(pthread_attr_t *attr, const void *parameters) { return 0; }
int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) { return 0; }

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    attr->kind = MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) { return 0; }

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
    if (kind < MUTEX_NORMAL || kind > MUTEX_ADAPTIVE)
        return EINVAL;
    attr->kind = kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind) {
    *kind = attr->kind;
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    if (robust)
        __raddle_unsupported("robust mutexes");
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) { return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) { return 0; }
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) { return 0; }

int pthread_condattr_init(void *attr) { return 0; }
int pthread_condattr_destroy(void *attr) { return 0; }
int pthread_condattr_setclock(void *attr, int clock) { return 0; }
int pthread_condattr_setpshared(void *attr, int shared) { return 0; }

int pthread_rwlockattr_init(void *attr) { return 0; }
int pthread_rwlockattr_destroy(void *attr) { return 0; }
int pthread_rwlockattr_setpshared(void *attr, int shared) { return 0; }
int pthread_rwlockattr_setkind_np(void *attr, int preference) { return 0; }

int pthread_barrierattr_init(void *attr) { return 0; }
int pthread_barrierattr_destroy(void *attr) { return 0; }
int pthread_barrierattr_setpshared(void *attr, int shared) { return 0; }
