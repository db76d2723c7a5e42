// Threads are given numbers; the tenth is one too many.
#include <assert.h>
#include <pthread.h>

void *visitor(void *number) {
    assert((long)number != 10);
    return number;
}

int main(void) {
    for (long number = 0;; number++) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, (void *)number);
    }
}
