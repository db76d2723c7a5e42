// expect: SAFE
// Threads draw indexes from an atomic counter; each element is done once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

atomic_int next;
int done[N];

void *run(void *arg) {
    for (int i; (i = atomic_fetch_add(&next, 1)) < N;)
        done[i]++;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    for (int i = 0; i < N; i++)
        assert(done[i] == 1);
    return 0;
}
