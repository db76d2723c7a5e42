// args: --property races
// expect: UNSAFE races
// A static local is shared between threads.
#include <pthread.h>

static int next(void) {
    static int n;
    return n++; //~ races
}

void *run(void *arg) {
    next();
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
