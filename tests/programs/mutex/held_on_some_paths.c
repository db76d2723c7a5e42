// args: --property locks
// expect: UNSAFE locks
// A mutex that is locked on one path only is unlocked on both; one that both paths lock is not misused.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *arg) {
    int early = __VERIFIER_nondet_int();
    if (early) {
        pthread_mutex_lock(&n);
        pthread_mutex_lock(&m);
    } else {
        pthread_mutex_lock(&n);
    }
    x++;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m); //~ locks
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
