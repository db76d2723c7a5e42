// One after the other in a section that a flag guards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int inside;

void *visitor(void *unused) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&taken, &free, 1))
        free = 0;
    inside++;
    assert(inside == 1);
    inside--;
    taken = 0;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
