// args: --property assertions
// expect: UNSAFE assertions
// The second join of a thread fails at once: its caller goes on although the thread has not ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_t t;
atomic_int done;

void *run(void *arg) {
    done = 1;
    return arg;
}

void *other(void *arg) {
    pthread_join(t, 0);
    assert(done); //~ assertions
    return arg;
}

int main(void) {
    pthread_t u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
