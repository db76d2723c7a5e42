// args: --property races
// expect: UNSAFE races
// A barrier for the compiler, or for the machine, orders nothing between plain accesses.
#include <pthread.h>

int x;

void *run(void *arg) {
    __asm__ volatile("" : : : "memory");
    x++; //~ races
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory");
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
