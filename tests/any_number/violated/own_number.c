// Numbers of threads differ.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_ulong first;

void *visitor(void *unused) {
    unsigned long none = 0, self = (unsigned long)pthread_self();
    atomic_compare_exchange_strong(&first, &none, self);
    assert(first == self);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
