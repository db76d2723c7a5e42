// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// A producer and a consumer run for ever; the buffer is never overfull and what is taken was put there.
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int items[SIZE], count;

void *produce(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (count < SIZE) {
            items[count] = 7;
            count++;
        }
        assert(count <= SIZE);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (count > 0) {
            count--;
            assert(items[count] == 7);
        }
        pthread_mutex_unlock(&mutex);
    }
}
