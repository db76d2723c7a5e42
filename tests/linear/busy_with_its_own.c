// The other thread changes a variable that nobody else reads, and changes it back: it does not wait. In a section it
// changes nothing that others could see. If scheduling is not fair main may be put off for ever before it joins.
// SAFE --property starvation
// UNSAFE --property starvation -DSECTION
// UNSAFE --fairness none --property starvation
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int own;

void *other(void *p) {
    while (1) {
#ifdef SECTION
        __VERIFIER_atomic_begin();
#endif
        own = 1;
        own = 0;
#ifdef SECTION
        __VERIFIER_atomic_end();
#endif
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    return 0;
}
