// args: --property deadlocks
// expect: BOUNDED
// The main thread waits for a signal from outside, the other one for the main thread: no deadlock.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t stop, go;

static void on_signal(int number) {
    sem_post(&stop);
    (void)number;
}

static void *helper(void *unused) {
    sem_wait(&go);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&stop, 0, 0);
    sem_init(&go, 0, 0);
    signal(SIGINT, on_signal);
    pthread_create(&thread, 0, helper, 0);
    sem_wait(&stop);
    sem_post(&go);
    pthread_join(thread, 0);
    return 0;
}
