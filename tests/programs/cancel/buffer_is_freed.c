// args: --property leaks,memory
// expect: SAFE
// A handler frees what the cancelled thread has allocated.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void *work(void *arg) {
    char *buffer = malloc(4);
    pthread_cleanup_push(free, buffer);
    sleep(1);
    buffer[3] = 1;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
