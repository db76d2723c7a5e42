// sigwait is a cancellation point: the mutex is never unlocked.
// args: --property deadlocks
// expect: UNSAFE deadlocks
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t wanted;

static void *waiter(void *arg) {
    int number;
    pthread_mutex_lock(&lock);
    sigwait(&wanted, &number);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock); //~ deadlocks
    pthread_mutex_unlock(&lock);
    return 0;
}
