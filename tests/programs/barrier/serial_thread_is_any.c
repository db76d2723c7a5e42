// args: --property assertions
// expect: UNSAFE assertions
// Nobody knows which thread is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;

void *run(void *arg) {
    pthread_barrier_wait(&b);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, run, 0);
    int mine = pthread_barrier_wait(&b);
    assert(mine == PTHREAD_BARRIER_SERIAL_THREAD); //~ assertions
    pthread_join(t, 0);
    return 0;
}
