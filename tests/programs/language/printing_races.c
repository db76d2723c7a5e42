// args: --property races
// expect: UNSAFE races
// The arguments of printf are read all the same.
#include <pthread.h>
#include <stdio.h>

int x;

void *run(void *arg) {
    x = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    printf("%d\n", x); //~ races
    pthread_join(t, 0);
    return 0;
}
