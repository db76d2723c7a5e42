// args: --property assertions --property races
// expect: SAFE
// A spin lock from __sync_lock_test_and_set and __sync_lock_release.
#include <assert.h>
#include <pthread.h>

int lock, x;

void *run(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    x++;
    __sync_lock_release(&lock);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
    return 0;
}
