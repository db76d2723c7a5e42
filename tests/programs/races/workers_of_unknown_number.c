// args: --property races --32
// expect: UNSAFE races
// A semaphore that lets two threads in, and as many threads as the caller wants: the array of their numbers has
// a size that is not known, and the multiplication may wrap around to one element.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int result;
sem_t gate;

static void *work(void *arg) {
    sem_wait(&gate);
    result = (int)(long)arg; //~ races
    sem_post(&gate);
    return 0;
}

int main(void) {
    sem_init(&gate, 0, 2);
    int n = __VERIFIER_nondet_int();
    if (n != 2 && n != 0x40000001)
        return 1;
    pthread_t *workers = malloc(n * sizeof *workers);
    for (int i = 0; i < n; i++)
        pthread_create(&workers[i], 0, work, (void *)(long)i);
    for (int i = 0; i < n; i++)
        pthread_join(workers[i], 0);
    free(workers);
    return 0;
}
