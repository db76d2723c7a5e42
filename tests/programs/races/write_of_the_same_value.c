// args: --property races
// expect: UNSAFE races
// A write that leaves what was there is a write, and a read whose value nobody uses is a read.
#include <pthread.h>

int x;

void *reads(void *arg) {
    int unused = x; //~ races
    (void)unused;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reads, 0);
    x ^= 0; //~ races
    return 0;
}
