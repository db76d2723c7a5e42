// args: --property races
// expect: UNSAFE races
// An atomic access and a plain one to the same variable.
#include <pthread.h>

int x;

void *run(void *arg) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
