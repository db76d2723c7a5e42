// expect: UNSAFE races
// Whether a weak exchange writes is a choice of the machine: it races if it does.
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;

void *exchange(void *arg) {
    int expected = 0;
    atomic_compare_exchange_weak(&word, &expected, 1); //~ races
    return arg;
}

void *read_plainly(void *arg) {
    int value = *(int *)&word; //~ races
    return value ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, exchange, 0);
    pthread_create(&b, 0, read_plainly, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
