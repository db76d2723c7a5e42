// expect: SAFE
// A ring of two places for one producer and one consumer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

int ring[SIZE];
atomic_uint head, tail;

void *produce(void *arg) {
    for (unsigned i = 0; i < 3; i++) {
        while (i - tail == SIZE)
            ;
        ring[i % SIZE] = (int)i + 10;
        head = i + 1;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (unsigned i = 0; i < 3; i++) {
        while (head == i)
            ;
        assert(ring[i % SIZE] == (int)i + 10);
        tail = i + 1;
    }
    pthread_join(t, 0);
    return 0;
}
