// args: --property assertions --property races
// expect: UNSAFE assertions
// Who does not get the spin lock does not count.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *run(void *arg) {
    if (pthread_spin_trylock(&l) == 0) {
        x++;
        pthread_spin_unlock(&l);
    }
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); //~ assertions
    return 0;
}
