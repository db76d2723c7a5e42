// args: --property deadlocks
// expect: SAFE
// The flag is set in the end.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *run(void *arg) {
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!flag)
        ;
    pthread_join(t, 0);
    return 0;
}
