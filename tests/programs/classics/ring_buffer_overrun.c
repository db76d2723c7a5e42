// expect: UNSAFE races
// The producer does not wait for room.
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

int ring[SIZE];
atomic_uint head;

void *produce(void *arg) {
    for (unsigned i = 0; i < 3; i++) {
        ring[i % SIZE] = (int)i + 10; //~ races
        head = i + 1;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    int sum = 0;
    pthread_create(&t, 0, produce, 0);
    for (unsigned i = 0; i < 3; i++) {
        while (head <= i)
            ;
        sum += ring[i % SIZE]; //~ races
    }
    pthread_join(t, 0);
    return sum;
}
