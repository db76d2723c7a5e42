/* Attribute objects of pthread.h.
 *
 * The detach state of a thread, the kind of a mutex, and that a read-write lock prefers writers have an effect. All others (stack sizes,
 * scheduling, sharing between processes, protocols, clocks) have none on what is checked: those
 * that can be asked for are kept, the others accepted and forgotten. Robustness: pthread_robust.c.
 * left out: failures for lack of memory; priorities and ceilings.
 *
 * accesses: visible
 */
#include "any.h"
#include "pthread_types.h"

int pthread_attr_init(pthread_attr_t *attr) {
    *attr = (pthread_attr_t){.stack_size = 8u << 20, .guard_size = 4096};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
    must_exist(attr);
    return 0;
}

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

/* Kept and given back. */
#define ATTRIBUTE(name, type, field, valid)                                                        \
    int pthread_attr_set##name(pthread_attr_t *attr, type value) {                                 \
        if (!(valid))                                                                              \
            return EINVAL;                                                                         \
        attr->field = value;                                                                       \
        return 0;                                                                                  \
    }                                                                                              \
    int pthread_attr_get##name(const pthread_attr_t *attr, type *value) {                          \
        *value = attr->field;                                                                      \
        return 0;                                                                                  \
    }

ATTRIBUTE(stacksize, size_t, stack_size, value >= 16384)
ATTRIBUTE(guardsize, size_t, guard_size, 1)
ATTRIBUTE(scope, int, scope, value == 0)
ATTRIBUTE(schedpolicy, int, policy, value >= 0 && value <= 2)
ATTRIBUTE(inheritsched, int, inherits, value == 0 || value == 1)

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    return pthread_attr_setstacksize(attr, size);
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const int *priority) {
    attr->priority = *priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, int *priority) {
    *priority = attr->priority;
    return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const void *set) {
    must_exist(attr);
    __raddle_read_bytes(set, size);
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    attr->kind = MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    must_exist(attr);
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
    if (kind < MUTEX_NORMAL || kind > MUTEX_ADAPTIVE)
        return EINVAL;
    attr->kind = (attr->kind & ~(KIND_MASK & ~ROBUST)) | kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind) {
    *kind = attr->kind & KIND_MASK & ~ROBUST;
    return 0;
}

/* Attributes that are kept above the kind. */
#define MUTEX_ATTRIBUTE(name, shift, most)                                                         \
    int pthread_mutexattr_set##name(pthread_mutexattr_t *attr, int value) {                        \
        if (value < 0 || value > most)                                                             \
            return EINVAL;                                                                         \
        attr->kind = (attr->kind & ~(most << shift)) | value << shift;                             \
        return 0;                                                                                  \
    }                                                                                              \
    int pthread_mutexattr_get##name(const pthread_mutexattr_t *attr, int *value) {                 \
        *value = attr->kind >> shift & most;                                                       \
        return 0;                                                                                  \
    }

MUTEX_ATTRIBUTE(pshared, 8, 1)
MUTEX_ATTRIBUTE(protocol, 9, 3)
MUTEX_ATTRIBUTE(prioceiling, 11, 127)

static int forgotten(const void *attr) {
    must_exist(attr);
    return 0;
}

int pthread_condattr_init(void *attr) { return forgotten(attr); }
int pthread_condattr_destroy(void *attr) { return forgotten(attr); }
int pthread_condattr_setclock(void *attr, int clock) { return forgotten(attr); }
int pthread_condattr_setpshared(void *attr, int shared) { return forgotten(attr); }

/* Which threads a read-write lock prefers matters (pthread_rwlock.c). */
int pthread_rwlockattr_init(int *attr) { return attr[0] = attr[1] = 0; }
int pthread_rwlockattr_destroy(void *attr) { return forgotten(attr); }
int pthread_rwlockattr_setpshared(void *attr, int shared) { return forgotten(attr); }
int pthread_rwlockattr_setkind_np(int *attr, int preference) {
    if (preference < 0 || preference > 2)
        return EINVAL;
    attr[0] = preference;
    return 0;
}

int pthread_barrierattr_init(void *attr) { return forgotten(attr); }
int pthread_barrierattr_destroy(void *attr) { return forgotten(attr); }
int pthread_barrierattr_setpshared(void *attr, int shared) { return forgotten(attr); }

int pthread_rwlockattr_getpshared(const void *attr, int *shared) {
    return *shared = forgotten(attr);
}
int pthread_condattr_getpshared(const void *attr, int *shared) {
    return *shared = forgotten(attr);
}
int pthread_barrierattr_getpshared(const void *attr, int *shared) {
    return *shared = forgotten(attr);
}
int pthread_condattr_getclock(const void *attr, int *clock) {
    return *clock = forgotten(attr);
}
int pthread_rwlockattr_getkind_np(const int *attr, int *preference) {
    *preference = attr[0];
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
    *stack = __raddle_input_ptr();
    *size = attr->stack_size;
    return 0;
}
int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t size, void *set) {
    must_exist(attr);
    __raddle_fill(set, size);
    return 0;
}
