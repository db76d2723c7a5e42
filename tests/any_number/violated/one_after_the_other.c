// The fifth thread breaks it, whenever it comes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int visitors;

void *visitor(void *unused) {
    assert(visitors != 4);
    visitors++;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
