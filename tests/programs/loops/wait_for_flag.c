// args: --property assertions --property races
// expect: SAFE
// A loop that only waits needs no unwinding.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *run(void *arg) {
    data = 5;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!flag)
        ;
    assert(data == 5);
    pthread_join(t, 0);
    return 0;
}
