// args: --property overflow
// expect: SAFE
// The tested copy is the divisor.
#include <pthread.h>

int d = 2;

void *run(void *arg) {
    d = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    int q = 0;
    pthread_create(&t, 0, run, 0);
    int mine = d;
    if (mine != 0)
        q = 10 / mine;
    pthread_join(t, 0);
    return q;
}
