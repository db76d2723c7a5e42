// args: --property assertions --property races
// expect: SAFE
// Each thread writes before the barrier and reads the other's work after it.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int done[2];

void *run(void *arg) {
    long i = (long)arg;
    done[i] = 1;
    pthread_barrier_wait(&b);
    assert(done[1 - i] == 1);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, run, (void *)0);
    pthread_create(&u, 0, run, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_barrier_destroy(&b);
    return 0;
}
