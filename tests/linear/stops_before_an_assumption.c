// Nobody has to run: main may stand before its assumption for ever while the other thread goes on, and such an
// execution counts. If scheduling is fair main comes to the assumption, which fails, and no execution counts.
// UNSAFE --fairness none --ltl F (never == 2)
// SAFE --ltl F (never == 2)
#include <pthread.h>

extern void __VERIFIER_assume(int);

int never;

void *other(void *p) {
    while (1)
        ;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_assume(never == 2);
    return 0;
}
