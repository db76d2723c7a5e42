// Whatever kind of lock it is, it protects what is changed under it, and nothing that is changed after it.
// args: --property races
// expect: UNSAFE races
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static struct {
    int guarded, loose;
} c11, timed, robust, inherits, spinning, written, named, specific;

static mtx_t mtx;
static cnd_t cnd;
static tss_t key;
static pthread_mutex_t robust_mutex, inherits_mutex, timed_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static once_flag once = ONCE_FLAG_INIT;
static sem_t *sem;

static void init(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust_mutex, &attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_STALLED);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inherits_mutex, &attr);
    pthread_mutexattr_destroy(&attr);
    mtx_init(&mtx, mtx_plain);
    cnd_init(&cnd);
    tss_create(&key, 0);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
}

static int run(void *argument) {
    int own = 0;
    call_once(&once, init);
    tss_set(key, &own);
    mtx_lock(&mtx);
    c11.guarded++;
    cnd_signal(&cnd);
    mtx_unlock(&mtx);
    c11.loose++; //~ races
    if (pthread_mutex_timedlock(&timed_mutex, &(struct timespec){0, 0}) == 0) {
        timed.guarded++;
        pthread_mutex_unlock(&timed_mutex);
    }
    pthread_mutex_lock(&robust_mutex);
    robust.guarded++;
    pthread_mutex_unlock(&robust_mutex);
    robust.loose++; //~ races
    pthread_mutex_lock(&inherits_mutex);
    inherits.guarded++;
    pthread_mutex_unlock(&inherits_mutex);
    pthread_spin_lock(&spin);
    spinning.guarded++;
    pthread_spin_unlock(&spin);
    pthread_rwlock_wrlock(&rwlock);
    written.guarded++;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_rdlock(&rwlock);
    written.loose++; //~ races
    pthread_rwlock_unlock(&rwlock);
    sem_wait(sem);
    named.guarded++;
    sem_post(sem);
    named.loose++; //~ races
    *(int *)tss_get(key) += 1;

    return 0;
}

int main(void) {
    thrd_t one, other;
    sem = sem_open("/name", O_CREAT, 0600, 1);
    if (sem == SEM_FAILED)
        return 1;
    thrd_create(&one, run, 0);
    thrd_create(&other, run, 0);
    thrd_join(one, 0);
    thrd_join(other, 0);
    specific.guarded = c11.guarded;
    return 0;
}
