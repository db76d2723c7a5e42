// args: --property memory
// expect: UNSAFE memory
// Both threads free the object.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    free(arg); //~ memory
    return 0;
}

int main(void) {
    pthread_t t, u;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, run, p);
    pthread_create(&u, 0, run, p);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
