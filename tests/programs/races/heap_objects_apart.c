// args: --property races --property memory --property leaks
// expect: SAFE
// Each thread has an object of its own from the heap.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    int *p = malloc(sizeof *p);
    *p = (int)(long)arg;
    *p += 1;
    free(p);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)1);
    pthread_create(&u, 0, run, (void *)2);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
