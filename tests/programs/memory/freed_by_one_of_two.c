// args: --property memory --property leaks
// expect: SAFE
// An atomic exchange decides who frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) p;

void *run(void *arg) {
    free(atomic_exchange(&p, (int *)0));
    return arg;
}

int main(void) {
    pthread_t t, u;
    p = malloc(sizeof(int));
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
