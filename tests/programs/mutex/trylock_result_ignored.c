// args: --property races
// expect: UNSAFE races
// The result of trylock is ignored, so nothing is protected.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_mutex_trylock(&m);
    x++; //~ races
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
