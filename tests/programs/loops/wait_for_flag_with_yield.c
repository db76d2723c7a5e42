// args: --property assertions
// expect: SAFE
// Yielding or sleeping in the loop changes nothing.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

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
    while (flag == 0) {
        sched_yield();
        usleep(10);
    }
    assert(data == 5);
    pthread_join(t, 0);
    return 0;
}
