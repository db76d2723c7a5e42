// Two threads that never come to an end, and a state that is always new.
#include <pthread.h>
int x, y;
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *a) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = x + y;
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        y = y * 3 + x + __VERIFIER_nondet_int();
        pthread_mutex_unlock(&m);
    }
}
