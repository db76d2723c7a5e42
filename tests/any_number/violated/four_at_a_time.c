// Only four threads at the same time break it: more than stand for all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int inside;

void *visitor(void *unused) {
    int others = inside++;
    assert(others < 3);
    inside--;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
