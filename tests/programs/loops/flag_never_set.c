// args: --property deadlocks
// expect: UNSAFE deadlocks
// Nobody sets the flag: waiting for ever is a deadlock.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, other;

void *run(void *arg) {
    other = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!flag) //~ deadlocks
        ;
    pthread_join(t, 0);
    return 0;
}
