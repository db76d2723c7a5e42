// args: --property assertions
// expect: UNSAFE assertions
// One write without the mutex, by somebody else, and a section does not know what it read before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int x;

void *careless(void *arg) {
    x = 5;
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    int before = x;
    x = before;
    assert(x == before); //~ assertions
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, careless, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
