// args: --property locks
// expect: UNSAFE locks
// The lock is destroyed before the thread that uses it has begun.
#include <pthread.h>

pthread_spinlock_t lock;
int count;

static void *run(void *arg) {
    pthread_spin_lock(&lock); //~ locks
    count++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&lock);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
