// args: --property races
// expect: UNSAFE races
// The counter is read without the spin lock.
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *run(void *arg) {
    pthread_spin_lock(&l);
    x++; //~ races
    pthread_spin_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, run, 0);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
