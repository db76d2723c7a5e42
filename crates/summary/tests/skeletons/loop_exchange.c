// A compare-exchange loop: a failed exchange changed nothing, so one iteration is enough.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *work(void *arg) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 1))
        ;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    atomic_fetch_add(&x, 2);
    return 0;
}
