// args: --property leaks
// expect: UNSAFE leaks
// The thread ends the program before main frees what it has allocated.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    (void)arg;
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    char *p = malloc(8); //~ leaks
    free(p);
    pthread_join(t, 0);
    return 0;
}
