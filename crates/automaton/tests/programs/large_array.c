// An array with more elements than an automaton can have cells.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int large[150000];

void *work(void *unused) {
    large[__VERIFIER_nondet_int()] = 1;
    for (int i = 0; i < 100; i++)
        large[i] = large[i + 1];
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    large[__VERIFIER_nondet_int()] = 2;
    return 0;
}
