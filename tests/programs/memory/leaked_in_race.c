// args: --property leaks
// expect: UNSAFE leaks
// Two threads initialise lazily; one of the two objects may be lost.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *run(void *arg) {
    if (!p)
        p = malloc(sizeof *p); //~ leaks
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    free(p);
    return 0;
}
