// args: --property memory
// expect: UNSAFE memory
// The handler is still there when the thread has freed the buffer itself.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void *work(void *arg) {
    char *buffer = malloc(4);
    pthread_cleanup_push(free, buffer);
    free(buffer);
    sleep(1); //~ memory
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
