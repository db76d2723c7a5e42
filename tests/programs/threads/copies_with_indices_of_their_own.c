// args: --property assertions
// expect: UNSAFE assertions
// One function, two unknown indices: which of the threads writes first can be seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

atomic_int cells[2];

void *put(void *index) {
    cells[(long)index] = 1;
    return 0;
}

int main(void) {
    pthread_t s, t;
    long i = __VERIFIER_nondet_uchar() % 2, j = __VERIFIER_nondet_uchar() % 2;
    pthread_create(&s, 0, put, (void *)i);
    pthread_create(&t, 0, put, (void *)j);
    int second = cells[j], first = cells[i];
    assert(i == j || !second || first); //~ assertions
    return 0;
}
