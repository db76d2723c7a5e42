// property: memory
// An object whose size is an input: room for the most, and accesses are checked against the size itself.
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
char *p;
void *work(void *arg) {
    p[3] = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    unsigned n = __VERIFIER_nondet_uint();
    p = malloc(n);
    if (!p)
        return 0;
    pthread_create(&t, 0, work, 0);
    return 0;
}
