// Two threads that never come to an end, and a state that is always new. They would race for z if a square were 7,
// so that nothing but values keeps them apart.
#include <pthread.h>
int x, y, z;
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *a) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = x + y;
        int never = x * x == 7;
        pthread_mutex_unlock(&m);
        if (never)
            z = 1;
    }
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        y = y * 3 + x + __VERIFIER_nondet_int();
        int never = y * y == 7;
        pthread_mutex_unlock(&m);
        if (never)
            z = 2;
    }
}
