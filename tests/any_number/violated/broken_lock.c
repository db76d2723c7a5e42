// Between looking at the flag and taking it others do the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken, inside;

void *visitor(void *unused) {
    while (taken)
        ;
    taken = 1;
    int others = inside++;
    assert(others == 0);
    inside--;
    taken = 0;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
