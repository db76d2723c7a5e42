// The handle of a thread is not always the same.
#include <assert.h>
#include <pthread.h>

void *visitor(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, thread;
    pthread_create(&first, 0, visitor, 0);
    for (;;) {
        pthread_create(&thread, 0, visitor, 0);
        assert(pthread_equal(first, thread));
    }
}
