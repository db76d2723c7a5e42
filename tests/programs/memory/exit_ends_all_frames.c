// args: --property memory
// expect: UNSAFE memory
// pthread_exit in a nested function ends the lives of the caller's variables as well.
#include <pthread.h>

int *p;

static void leave(void) { pthread_exit(0); }

void *run(void *arg) {
    int local = 1;
    p = &local;
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return *p; //~ memory
}
