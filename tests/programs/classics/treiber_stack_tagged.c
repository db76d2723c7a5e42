// expect: SAFE
// A counter beside the index of the top node makes a stale compare-exchange fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* The low 8 bits are the number of the node, 0 for none; the others count the changes. */
atomic_uint top;
atomic_uint next[3];
atomic_int owned[3];

void push(unsigned n) {
    unsigned old = top;
    owned[n] = 0;
    do
        next[n] = old & 255;
    while (!atomic_compare_exchange_strong(&top, &old, ((old >> 8) + 1) << 8 | n));
}

unsigned pop(void) {
    unsigned old = top;
    while (old & 255) {
        unsigned below = next[old & 255];
        if (atomic_compare_exchange_strong(&top, &old, ((old >> 8) + 1) << 8 | below))
            break;
    }
    unsigned n = old & 255;
    if (n) {
        int twice = atomic_exchange(&owned[n], 1);
        assert(!twice);
    }
    return n;
}

void *run(void *arg) {
    pop();
    return arg;
}

int main(void) {
    pthread_t t;
    push(2);
    push(1);
    pthread_create(&t, 0, run, 0);
    unsigned n = pop();
    if (n == 1) {
        pop();
        push(1);
    }
    pthread_join(t, 0);
    return 0;
}
