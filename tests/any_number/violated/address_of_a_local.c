// What one thread leaves on its stack others write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int *_Atomic shared;
atomic_int begun;

void *visitor(void *unused) {
    atomic_int mine = 0;
    int *other = shared;
    if (other && !begun) {
        begun = 1;
        *(atomic_int *)other = 1;
    }
    shared = (int *)&mine;
    assert(mine == 0);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
