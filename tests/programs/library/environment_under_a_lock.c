// The same with a lock around each call.
// args: --property races,memory,deadlocks
// expect: SAFE
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    char *home = getenv("HOME");
    pthread_mutex_unlock(&lock);
    return home;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    setenv("TZ", "UTC", 1);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
