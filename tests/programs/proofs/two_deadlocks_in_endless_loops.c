// args: --property deadlocks
// expect: UNSAFE deadlocks
// One thread takes two locks in the order of the other one, or the second lock twice: two deadlocks.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *other(void *unused) {
    for (;;) {
        pthread_mutex_lock(&b);
        if (__VERIFIER_nondet_int())
            pthread_mutex_lock(&a); //~ deadlocks
        else
            pthread_mutex_lock(&b); //~ deadlocks
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (;;) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b); //~ deadlocks
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
}
