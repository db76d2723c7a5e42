// A thread allocates, another one writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <stdlib.h>

int *_Atomic box;

void *visitor(void *unused) {
    int *other = box;
    if (other)
        *(atomic_int *)other = 1;
    int *mine = calloc(1, sizeof *mine);
    box = mine;
    assert(!mine || *(atomic_int *)mine == 0);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
