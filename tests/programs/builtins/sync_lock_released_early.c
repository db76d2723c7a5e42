// args: --property assertions
// expect: UNSAFE assertions
// The lock is released between reading and writing.
#include <assert.h>
#include <pthread.h>

int lock, x;

void *run(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    int old = x;
    __sync_lock_release(&lock);
    x = old + 1;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); //~ assertions
    return 0;
}
