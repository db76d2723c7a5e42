// Every function of a synchronisation object looks at it: a use after it was freed is a finding.
// args: --property memory
// expect: UNSAFE memory
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

_Bool __VERIFIER_nondet_bool(void);

#define AFTER_FREE(object, call)                                                                   \
    if (__VERIFIER_nondet_bool()) {                                                                \
        free((void *)object);                                                                      \
        call;                                                                                      \
    }

static void nothing(void) {}

int main(void) {
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    pthread_spinlock_t *spin = malloc(sizeof *spin);
    pthread_rwlock_t *rwlock = malloc(sizeof *rwlock);
    pthread_cond_t *cond = malloc(sizeof *cond);
    pthread_once_t *once = malloc(sizeof *once);
    pthread_attr_t *attr = malloc(sizeof *attr);
    pthread_mutexattr_t *kind = malloc(sizeof *kind);
    pthread_mutex_t *robust = malloc(sizeof *robust);
    sem_t *sem = malloc(sizeof *sem);
    mtx_t *mtx = malloc(sizeof *mtx);
    cnd_t *cnd = malloc(sizeof *cnd);
    int number;
    pthread_t thread;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_barrier_init(barrier, 0, 1);
    pthread_spin_init(spin, 0);
    pthread_rwlock_init(rwlock, 0);
    pthread_cond_init(cond, 0);
    *once = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_attr_init(attr);
    pthread_mutexattr_init(kind);
    pthread_mutexattr_setrobust(kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(kind, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(robust, kind);
    sem_init(sem, 0, 1);
    mtx_init(mtx, mtx_plain);
    cnd_init(cnd);
    AFTER_FREE(barrier, pthread_barrier_wait(barrier))                   //~ memory
    AFTER_FREE(spin, pthread_spin_lock(spin))                            //~ memory
    AFTER_FREE(rwlock, pthread_rwlock_rdlock(rwlock))                    //~ memory
    AFTER_FREE(cond, pthread_cond_signal(cond))                          //~ memory
    AFTER_FREE(once, pthread_once(once, nothing))                        //~ memory
    AFTER_FREE(attr, pthread_attr_setdetachstate(attr, PTHREAD_CREATE_DETACHED)) //~ memory
    AFTER_FREE(kind, pthread_mutexattr_settype(kind, PTHREAD_MUTEX_RECURSIVE)) //~ memory
    AFTER_FREE(robust, pthread_mutex_lock(robust))                       //~ memory
    AFTER_FREE(sem, sem_post(sem))                                       //~ memory
    AFTER_FREE(mtx, mtx_lock(mtx))                                       //~ memory
    AFTER_FREE(cnd, cnd_broadcast(cnd))                                  //~ memory
    AFTER_FREE(cond, pthread_cond_wait(cond, &mutex))                    //~ memory
    AFTER_FREE(sem, sem_destroy(sem))                                    //~ memory
    AFTER_FREE(barrier, pthread_barrier_destroy(barrier))                //~ memory
    AFTER_FREE(cond, pthread_cond_destroy(cond))                         //~ memory
    AFTER_FREE(robust, pthread_mutex_destroy(robust))                    //~ memory
    AFTER_FREE(rwlock, pthread_rwlock_destroy(rwlock))                   //~ memory
    AFTER_FREE(spin, pthread_spin_destroy(spin))                         //~ memory
    AFTER_FREE(attr, pthread_attr_destroy(attr))                         //~ memory
    AFTER_FREE(robust, pthread_mutex_consistent(robust))                 //~ memory
    AFTER_FREE(cnd, cnd_destroy(cnd))                                    //~ memory
    AFTER_FREE(cnd, cnd_signal(cnd))                                     //~ memory
    AFTER_FREE(robust, pthread_mutex_getprioceiling(robust, &number))   //~ memory
    AFTER_FREE(attr, pthread_create(&thread, attr, 0, 0))                     //~ memory
    AFTER_FREE(sem, sem_getvalue(sem, &number))                               //~ memory
    AFTER_FREE(mtx, mtx_destroy(mtx))                                    //~ memory
    AFTER_FREE(cond, pthread_cond_init(cond, 0))                         //~ memory
    AFTER_FREE(cond, pthread_cond_broadcast(cond))                       //~ memory
    AFTER_FREE(robust, pthread_mutex_trylock(robust))                    //~ memory
    AFTER_FREE(robust, pthread_mutex_unlock(robust))                     //~ memory
    AFTER_FREE(rwlock, pthread_rwlock_unlock(rwlock))                    //~ memory
    AFTER_FREE(robust, pthread_mutex_init(robust, 0))                    //~ memory
    AFTER_FREE(rwlock, pthread_rwlock_init(rwlock, 0))                   //~ memory
    AFTER_FREE(sem, sem_init(sem, 0, 0))                                 //~ memory
    AFTER_FREE(mtx, mtx_init(mtx, 0))                                    //~ memory
    return 0;
}
