// args: --property assertions
// expect: UNSAFE assertions
// The write of one bit-field takes the neighbour's old value along.
#include <assert.h>
#include <pthread.h>

struct {
    unsigned a : 1, b : 1;
} f;

void *run(void *arg) {
    f.a = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    f.b = 1;
    pthread_join(t, 0);
    assert(f.a && f.b); //~ assertions
    return 0;
}
