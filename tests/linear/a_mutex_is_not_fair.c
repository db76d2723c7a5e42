// A mutex promises no order: who waits can go on only while it is free. Strong fairness is what it takes.
// UNSAFE --ltl G F at(first_inside)
// SAFE --fairness strong --ltl G F at(first_inside)
// UNSAFE --property starvation
// SAFE --fairness strong --property starvation
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *second(void *p) {
    while (1) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    while (1) {
        pthread_mutex_lock(&lock);
    first_inside:
        pthread_mutex_unlock(&lock);
    }
}
