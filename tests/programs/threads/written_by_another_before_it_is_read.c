// expect: UNSAFE assertions
// The reader comes first in the order of creation, and reads what the other has written: few bits of a byte.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char c;

void *run(void *arg) {
    c = 3;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = c;
    assert(seen != 3); //~ assertions
    pthread_join(t, 0);
    return 0;
}
