// args: --property assertions --property races
// expect: SAFE
// pthread_self is what pthread_create gave the creator.
#include <assert.h>
#include <pthread.h>

pthread_t mine;

void *run(void *arg) {
    mine = pthread_self();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(pthread_equal(mine, t));
    assert(!pthread_equal(mine, pthread_self()));
    return 0;
}
