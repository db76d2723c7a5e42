// expect: UNSAFE assertions
// Without looking at the number again the pair may be torn.
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
    int x, y;
    pthread_create(&t, 0, write_both, 0);
    while (sequence % 2 != 0)
        ;
    x = a;
    y = b;
    assert(x == y); //~ assertions
    pthread_join(t, 0);
    return 0;
}
