// args: --property memory
// expect: UNSAFE memory
// One thread frees what the other still reads.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *run(void *arg) {
    (void)arg;
    return (void *)(long)*p; //~ memory
}

int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&t, 0, run, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
