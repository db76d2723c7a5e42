// args: --property overflow
// expect: UNSAFE overflow
// Another thread sets the divisor to zero.
#include <pthread.h>

int d = 2;

void *run(void *arg) {
    d = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int q = 10 / d; //~ overflow
    pthread_join(t, 0);
    return q;
}
