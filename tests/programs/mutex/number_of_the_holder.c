// args: --property assertions
// expect: UNSAFE assertions
// Threads that do the same are told apart by what they find in the mutex that they hold.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_uchar first, holder;

void *visitor(void *unused) {
    pthread_mutex_lock(&mutex);
    holder = *(_Atomic unsigned char *)&mutex;
    if (first == 0)
        first = holder;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    unsigned char early = first, now = holder;
    // The one that was created first comes first in half of the executions only.
    assert(early <= now); //~ assertions
    return 0;
}
