// expect: SAFE
// A reader that saw the same even number before and after has read a consistent pair.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int a, b;

void *write_both(void *arg) {
    sequence++;
    a = 1;
    b = 1;
    sequence++;
    return arg;
}

int main(void) {
    pthread_t t;
    unsigned before;
    int x, y;
    pthread_create(&t, 0, write_both, 0);
    do {
        before = sequence;
        x = a;
        y = b;
    } while (before % 2 != 0 || sequence != before);
    assert(x == y);
    pthread_join(t, 0);
    return 0;
}
