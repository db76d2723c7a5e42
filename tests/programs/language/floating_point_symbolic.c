// args: --property assertions
// expect: SAFE
// expect explore: BOUNDED (tries some values only)
// Arithmetic on values that are not known: inputs, and shared ones that another thread replaces.
#include <assert.h>
#include <math.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);

double rate = 0.5;

void *run(void *arg) {
    rate = __VERIFIER_nondet_bool() ? 0.25 : 1.5;
    return arg;
}

int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_uchar();
    pthread_create(&t, 0, run, 0);
    double r = rate, product = r * n;
    assert(product >= 0 && product <= 1.5 * 255);
    assert(product == n * r && product / 4 <= n);
    assert((n == 0) == (product == 0.0));
    assert((float)(n + 0.5f) - 0.5f == n && (int)(n + 0.5) == n);
    pthread_join(t, 0);
    return 0;
}
