// args: --property assertions --property races --property locks
// expect: SAFE
// A spin lock protects a counter.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *run(void *arg) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_spin_destroy(&l);
    assert(x == 2);
    return 0;
}
