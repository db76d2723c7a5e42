// Two threads that add to each other's number (paper 001, figure 2): the largest number needs all additions in turns,
// so nearly every write has to be seen by the other thread, and as many switches.
// ITERATIONS (5) of each thread; SAFE: the largest number is allowed
#include <assert.h>
#include <pthread.h>
#ifndef ITERATIONS
#define ITERATIONS 5
#endif

static int i = 1, j = 1;

static void *f1(void *unused) {
    for (int k = 0; k < ITERATIONS; k++)
        i += j;
    return unused;
}

static void *f2(void *unused) {
    for (int k = 0; k < ITERATIONS; k++)
        j += i;
    return unused;
}

int main(void) {
    int first = 1, most = 1;
    for (int k = 0; k < 2 * ITERATIONS; k++) {
        int next = first + most;
        first = most;
        most = next;
    }
#ifdef SAFE
    most++;
#endif
    pthread_t threads[2];
    pthread_create(&threads[0], 0, f1, 0);
    pthread_create(&threads[1], 0, f2, 0);
    assert(i < most);
    assert(j < most);
    return 0;
}
