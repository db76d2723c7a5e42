// Threads that create threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int spoiled;

void *grandchild(void *unused) {
    spoiled = 1;
    return unused;
}

void *child(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, grandchild, 0);
    assert(!spoiled);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, child, 0);
    }
}
