// args: --property memory --property leaks --property races
// expect: SAFE
// The object is freed when nobody uses it any more.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *run(void *arg) {
    *p += 1;
    return arg;
}

int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    free(p);
    return 0;
}
