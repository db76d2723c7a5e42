// args: --property races
// expect: UNSAFE races
// A race that needs a certain order of two other accesses.
#include <pthread.h>
#include <stdatomic.h>

atomic_int mode;
int x;

void *run(void *arg) {
    if (mode == 1)
        x = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    mode = 1;
    x = 2; //~ races
    pthread_join(t, 0);
    return 0;
}
