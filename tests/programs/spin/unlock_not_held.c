// args: --property locks
// expect: UNSAFE locks
// The thread unlocks what main holds.
#include <pthread.h>

pthread_spinlock_t l;

void *run(void *arg) {
    pthread_spin_unlock(&l); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
