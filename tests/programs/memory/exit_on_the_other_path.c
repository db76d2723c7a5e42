// args: --property memory
// expect: SAFE
// A way that ends the thread ends nothing on the way that does not.
#include <pthread.h>

static void step(int *n, int leaves) {
    if (leaves) {
        *n = 0;
        pthread_exit(0);
    }
    *n += 1;
}

void *helper(void *arg) {
    *(int *)arg = 7;
    return arg;
}

void *run(void *arg) {
    int local = 1;
    pthread_t t;
    step(&local, arg != 0);
    pthread_create(&t, 0, helper, &local);
    pthread_join(t, 0);
    step(&local, local != 7);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int flag;
    pthread_create(&a, 0, run, &flag);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
