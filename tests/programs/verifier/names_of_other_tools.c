// args: --property assertions
// expect: UNSAFE assertions
// Assumptions, assertions, atomic sections and inputs of ESBMC and CBMC, declared or not.
#include <pthread.h>

void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __CPROVER_assume(int);
void __VERIFIER_loop_bound(int);
void __VERIFIER_nondet_memory(void *, unsigned long);
int nondet_int(void);

int x;

void *run(void *arg) {
    __ESBMC_atomic_begin();
    x++;
    x--;
    __ESBMC_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    int n = nondet_int();
    short bytes = 0;
    __ESBMC_assume(n > 2);
    __CPROVER_assume(n < 5);
    pthread_create(&t, 0, run, 0);
    __VERIFIER_loop_bound(3);
    __ESBMC_atomic_begin();
    __ESBMC_assert(x == 0, "sections are atomic");
    __ESBMC_atomic_end();
    __VERIFIER_nondet_memory(&bytes, sizeof bytes);
    assert(n == 3 || n == 4);
    assert(bytes == 0); //~ assertions
    return 0;
}
