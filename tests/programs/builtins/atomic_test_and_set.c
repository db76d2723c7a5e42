// args: --property assertions --property races
// expect: SAFE
// __atomic_test_and_set lets one thread through.
#include <assert.h>
#include <pthread.h>

char taken;
int x;

void *run(void *arg) {
    if (!__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        x++;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 1);
    return 0;
}
