// args: --property locks
// expect: UNSAFE locks
// Main and another thread both join the same one; whoever comes second does wrong.
#include <pthread.h>

pthread_t t;

void *run(void *arg) { return arg; }

void *other(void *arg) {
    pthread_join(t, 0); //~ locks
    return arg;
}

int main(void) {
    pthread_t u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0); //~ locks
    pthread_join(u, 0);
    return 0;
}
