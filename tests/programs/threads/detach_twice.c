// args: --property locks
// expect: UNSAFE locks
// Detached by main and by the thread itself.
#include <pthread.h>

void *run(void *arg) {
    pthread_detach(pthread_self()); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_detach(t); //~ locks
    pthread_exit(0);
}
