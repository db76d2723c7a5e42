// expect: SAFE
// A message box without locks for one sender and one receiver.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int slot;
atomic_int full;

void *send(void *arg) {
    for (int i = 1; i <= 2; i++) {
        while (full)
            ;
        slot = i;
        full = 1;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    for (int i = 1; i <= 2; i++) {
        while (!full)
            ;
        assert(slot == i);
        full = 0;
    }
    pthread_join(t, 0);
    return 0;
}
