// args: --property locks
// expect: UNSAFE locks
// The thread detaches itself, perhaps before main joins it, perhaps while main waits.
#include <pthread.h>

void *run(void *arg) {
    pthread_detach(pthread_self()); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0); //~ locks
    return 0;
}
