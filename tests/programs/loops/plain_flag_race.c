// args: --property races
// expect: UNSAFE races
// Waiting on a plain variable is a race, however often the loop runs.
#include <pthread.h>

int flag;

void *run(void *arg) {
    flag = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!flag) //~ races
        ;
    pthread_join(t, 0);
    return 0;
}
