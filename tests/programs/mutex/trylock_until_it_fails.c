// args: --property assertions
// expect: UNSAFE assertions
// Taking the mutex is what the first iteration does; the second one finds it taken and goes on.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    while (pthread_mutex_trylock(&m) == 0)
        ;
    assert(arg); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
