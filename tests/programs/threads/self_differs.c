// args: --property assertions
// expect: UNSAFE assertions
// Two threads are not the same.
#include <assert.h>
#include <pthread.h>

void *run(void *creator) {
    assert(pthread_equal(pthread_self(), *(pthread_t *)creator)); //~ assertions
    return 0;
}

int main(void) {
    pthread_t t, me = pthread_self();
    pthread_create(&t, 0, run, &me);
    pthread_join(t, 0);
    return 0;
}
