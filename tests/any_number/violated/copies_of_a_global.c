// Each thread shows others its own copy of a global.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Thread_local atomic_int own;
atomic_int *_Atomic shown;

void *visitor(void *unused) {
    atomic_int *other = shown;
    if (other)
        *other = 1;
    shown = &own;
    assert(own == 0);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
