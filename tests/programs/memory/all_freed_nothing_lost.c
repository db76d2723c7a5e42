// args: --property lost-memory
// expect: SAFE
// Nothing is left at the end, so nothing is lost.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    free(arg);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, malloc(8));
    pthread_join(t, 0);
    return 0;
}
