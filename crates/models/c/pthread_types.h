/* The objects of pthread.h as the models see them.
 *
 * Programs include the real headers, so these only have to fit into the sizes of glibc and to be
 * right for static initialisers: the fields of a mutex lie where glibc has them on i386 and
 * x86_64, the others start with all zero.
 */
#ifndef RADDLE_PTHREAD_TYPES_H
#define RADDLE_PTHREAD_TYPES_H

#include "raddle.h"

enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK, MUTEX_ADAPTIVE };

/* Not a kind that a mutex can have: marks a destroyed one. */
#define MUTEX_DESTROYED (-1)

typedef struct mutex {
    int word;       /* 0 or the holder's number, for the lock primitives */
    unsigned count; /* recursive: how many times more than once it is held */
    int state;      /* of a robust one, see pthread_robust.c */
#ifdef __x86_64__
    unsigned users; /* unused */
#endif
    int kind;
    struct mutex *next_held; /* likewise */
} pthread_mutex_t;
_Static_assert(sizeof(pthread_mutex_t) <= (sizeof(void *) == 8 ? 40 : 24), "size in glibc");

/* The kind of mutex in the lowest byte, with a bit for robust ones; above it attributes that have no effect
 * here. */
enum { ROBUST = 16, KIND_MASK = 0xff };

typedef struct {
    int kind;
} pthread_mutexattr_t;

/* A bit for each thread; bytes that no thread of the program has a bit in stay zero, which
 * everybody knows. Used only when deadlocks are checked, or misuse where condition variables are destroyed: see
 * pthread_cond.c. */
typedef struct {
    unsigned char waiting[8]; /* threads that wait and may be woken */
    unsigned char woken[8];   /* those of them that a signal has chosen */
    unsigned char destroyed;  /* 0 from the initialisation to the end, when "locks" is checked; read where the object must exist */
} pthread_cond_t;
_Static_assert(sizeof(pthread_cond_t) <= 48, "size in glibc");

typedef struct {
    unsigned count;   /* how many threads make a round; 0: it was destroyed */
    unsigned arrived; /* how many of this round wait */
    unsigned round;   /* number of complete rounds */
    unsigned leaving; /* how many threads of complete rounds have not left yet, where somebody destroys barriers */
} pthread_barrier_t;
_Static_assert(sizeof(pthread_barrier_t) <= 20, "size in glibc");

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const void *time);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const void *time);
int pthread_cond_signal(pthread_cond_t *cond);
int pthread_cond_broadcast(pthread_cond_t *cond);
int pthread_cond_init(pthread_cond_t *cond, const void *attr);
int pthread_cond_destroy(pthread_cond_t *cond);

void pthread_exit(void *value) __attribute__((noreturn));
int pthread_join(pthread_t thread, void **result);

/* Threads: what thread_states.c knows of them. */
#define THREADS 1024

typedef struct {
    int detach_state;
    int scope, inherits, policy, priority; /* no effect here, as the next two */
    size_t stack_size, guard_size;
} pthread_attr_t;
_Static_assert(sizeof(pthread_attr_t) <= (sizeof(void *) == 8 ? 56 : 36), "size in glibc");

void __raddle_thread_begins(pthread_t thread, const pthread_attr_t *attr);
/* What pthread_join and pthread_detach return; 0 if the thread is to be waited for. */
int __raddle_thread_before_join(pthread_t thread);
void __raddle_thread_after_join(pthread_t thread);
/* The one that was to join it is cancelled. */
void __raddle_thread_not_joined(pthread_t thread);
int __raddle_thread_detach(pthread_t thread);
/* What pthread_cancel returns; 0 if there is such a thread. */
int __raddle_thread_before_cancel(pthread_t thread);
/* thread_end.c: whether the thread has ended, in programs that want to know. */
int __raddle_thread_ended(pthread_t thread);

#endif
