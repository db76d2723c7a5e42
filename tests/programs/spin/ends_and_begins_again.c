// args: --property locks,deadlocks
// expect: SAFE
// A lock that was destroyed can be initialised again.
#include <pthread.h>

pthread_spinlock_t lock;
int count;

static void *run(void *arg) {
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t t;
        pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
        pthread_create(&t, 0, run, 0);
        if (pthread_spin_trylock(&lock) == 0)
            pthread_spin_unlock(&lock);
        pthread_join(t, 0);
        pthread_spin_destroy(&lock);
    }
    return 0;
}
