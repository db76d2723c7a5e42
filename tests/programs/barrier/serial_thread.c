// args: --property assertions
// expect: SAFE
// Exactly one thread is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;

void *run(void *arg) {
    (void)arg;
    return (void *)(long)(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
}

int main(void) {
    pthread_t t[3];
    long serial = 0;
    pthread_barrier_init(&b, 0, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(t[i], &result);
        serial += (long)result;
    }
    assert(serial == 1);
    return 0;
}
