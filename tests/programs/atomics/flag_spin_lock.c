// args: --property assertions --property races
// expect: SAFE
// A spin lock from atomic_flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int x;

void *run(void *arg) {
    while (atomic_flag_test_and_set(&taken))
        ;
    x++;
    atomic_flag_clear(&taken);
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
