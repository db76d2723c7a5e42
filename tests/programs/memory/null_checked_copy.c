// args: --property memory
// expect: SAFE
// The tested copy is the used one.
#include <pthread.h>

int x, *p = &x;

void *run(void *arg) {
    int *mine = p;
    if (mine)
        *mine = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    p = 0;
    pthread_join(t, 0);
    return 0;
}
