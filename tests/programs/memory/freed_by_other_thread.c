// args: --property leaks
// expect: SAFE
// One thread allocates, another one frees, and main waits for both.
#include <pthread.h>
#include <stdlib.h>

_Atomic(char *) box;

void *give(void *arg) {
    box = malloc(8);
    return arg;
}

void *take(void *arg) {
    pthread_join(*(pthread_t *)arg, 0);
    free(box);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, give, 0);
    pthread_create(&u, 0, take, &t);
    pthread_join(u, 0);
    return 0;
}
