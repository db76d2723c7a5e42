// args: --property deadlocks
// expect: UNSAFE deadlocks
// Nobody releases the spin lock: here the weak exchange does not fail by chance.
#include <pthread.h>
#include <stdatomic.h>

atomic_int held;

static void lock(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&held, &expected, 1)) //~ deadlocks
        expected = 0;
}

void *run(void *arg) {
    lock();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0); //~ deadlocks
    pthread_join(b, 0); //~ deadlocks
    return 0;
}
