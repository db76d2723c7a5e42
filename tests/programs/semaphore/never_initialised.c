// args: --property locks
// expect: UNSAFE locks
// args explore: --inputs 0,1
// New memory holds anything, so what was not initialised is no semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *run(void *arg) {
    sem_post(arg); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    sem_t *done = malloc(sizeof *done);
    pthread_create(&t, 0, run, done);
    pthread_join(t, 0);
    free(done);
    return 0;
}
