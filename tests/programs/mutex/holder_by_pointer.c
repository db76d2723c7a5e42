// args: --property locks
// expect: UNSAFE locks
// Which mutex it is depends on input: the thread that locks one and unlocks the other holds the wrong one.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int turn, x;

void *proper(void *arg) {
    pthread_mutex_t *m = __VERIFIER_nondet_int() ? &a : &b;
    pthread_mutex_lock(m);
    x++;
    pthread_mutex_unlock(m);
    return arg;
}

void *wrong(void *arg) {
    pthread_mutex_t *m = turn ? &a : &b;
    pthread_mutex_lock(m);
    m = turn ? &a : &b;
    pthread_mutex_unlock(m); //~ locks
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, proper, 0);
    pthread_create(&t, 0, wrong, 0);
    turn = 1;
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
