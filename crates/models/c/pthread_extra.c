/* Extensions of pthread.h and sched.h: names, processors, atfork.
 *
 * Which processors there are and where a thread runs is arbitrary. atfork
 * only registers: fork is not modelled.
 * left out: failures of atfork; real affinity and priorities.
 *
 * accesses: visible
 */
#include "any.h"
#include "pthread_types.h"

size_t strlen(const char *s);

int pthread_getname_np(pthread_t thread, char *to, size_t size) {
    enum { LONGEST = 15 };
    if (size <= LONGEST)
        return ERANGE;
    __raddle_fill(to, LONGEST);
    to[LONGEST] = 0;
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
    enum { LONGEST = 15 };
    return strlen(name) <= LONGEST ? 0 : ERANGE;
}

int pthread_setschedparam(pthread_t thread, int policy, const int *priority) {
    __raddle_read_bytes(priority, sizeof *priority);
    return 0;
}

int pthread_getschedparam(pthread_t thread, int *policy, int *priority) {
    *policy = (int)__raddle_choice(3);
    *priority = __raddle_input_u8() % 100;
    return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, void *set) {
    __raddle_fill(set, size);
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const void *set) {
    __raddle_read_bytes(set, size);
    return 0;
}

int sched_getaffinity(int process, size_t size, void *set) {
    __raddle_fill(set, size);
    return 0;
}

int sched_setaffinity(int process, size_t size, const void *set) {
    __raddle_read_bytes(set, size);
    return zero_or_fails();
}

int sched_getcpu(void) { return __raddle_input_u8(); }
/* Those for real time, which have priorities; and those that have none. */
static int range(int policy, int real) {
    enum { OTHER, FIFO, ROUND_ROBIN, BATCH, IDLE = 5, DEADLINE };
    if (policy == FIFO || policy == ROUND_ROBIN)
        return real;
    return policy >= OTHER && policy <= DEADLINE && policy != 4 ? 0 : fails_with(EINVAL);
}
int sched_get_priority_max(int policy) { return range(policy, 99); }
int sched_get_priority_min(int policy) { return range(policy, 1); }
int pthread_getconcurrency(void) { return 0; }

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; }
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *by) {
    return 0;
}

/* Attributes of a running thread: any stack. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    *attr = (pthread_attr_t){.stack_size = 8u << 20, .guard_size = 4096};
    return 0;
}
int pthread_getcpuclockid(pthread_t thread, int *clock) { return *clock = 3, 0; }
int sched_getscheduler(int process) { return (int)__raddle_choice(3); }
int sched_setscheduler(int process, int policy, const int *priority) {
    __raddle_read_bytes(priority, sizeof *priority);
    return zero_or_fails();
}
int sched_getparam(int process, int *priority) { return *priority = 0; }
int sched_setparam(int process, const int *priority) { return sched_setscheduler(process, 0, priority); }
int sched_rr_get_interval(int process, long *time) {
    time[0] = 0;
    time[1] = __raddle_input_u32() % 1000000000;
    return 0;
}
