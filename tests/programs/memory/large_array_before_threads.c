// args: --property assertions
// args explore: --inputs 4,5
// expect: UNSAFE assertions
// A write at an unknown index of a large array, a read at a known one, and nobody else runs yet.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

int cells[1000];

void *look(void *arg) {
    assert(cells[5] != 9); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    unsigned i = __VERIFIER_nondet_uint() % 1000;
    cells[4] = 1;
    cells[i] = 9;
    assert(cells[4] != 9); //~ assertions
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    return 0;
}
