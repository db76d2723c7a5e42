// args: --property leaks
// expect: UNSAFE leaks
// Nobody frees what a cancelled thread has allocated.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void *work(void *arg) {
    char *buffer = malloc(4); //~ leaks
    sleep(1);
    free(buffer);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
