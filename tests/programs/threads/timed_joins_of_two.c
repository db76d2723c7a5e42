// While one thread waits to join another, with a time or without, nobody else may.
// args: --property locks
// expect: UNSAFE locks
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_t worker;

static void *work(void *argument) {
    return argument;
}

static void *watch(void *argument) {
    pthread_join(worker, 0); //~ locks
    return argument;
}

int main(void) {
    pthread_t watcher;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&watcher, 0, watch, 0);
    pthread_timedjoin_np(worker, 0, &(struct timespec){0, 0}); //~ locks
    pthread_join(watcher, 0);
    return 0;
}
