// expect: SAFE
// A barrier from a counter and a sense that flips.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int waiting, sense;
int data[2];

void barrier(int mine) {
    if (atomic_fetch_add(&waiting, 1) == 1) {
        waiting = 0;
        sense = mine;
    } else {
        while (sense != mine)
            ;
    }
}

void *run(void *arg) {
    long i = (long)arg;
    data[i] = 1;
    barrier(1);
    assert(data[1 - i] == 1);
    barrier(0);
    data[i] = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    return 0;
}
