// args: --property deadlocks
// expect: UNSAFE deadlocks
// The handler wants the lock that the thread holds which it interrupts.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void on_signal(int number) {
    pthread_mutex_lock(&lock); //~ deadlocks
    count = number;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    signal(SIGALRM, on_signal);
    alarm(1);
    pthread_mutex_lock(&lock);
    count++;
    usleep(10);
    pthread_mutex_unlock(&lock);
    return 0;
}
