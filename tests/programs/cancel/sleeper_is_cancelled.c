// sleep is a cancellation point: the handler gives the memory back, so nothing is lost.
// args: --property memory,leaks
// expect: SAFE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *sleeper(void *arg) {
    char *own = malloc(4);
    pthread_cleanup_push(free, own);
    sleep(1);
    own[0] = 1;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
