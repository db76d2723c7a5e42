// args: --property locks
// expect: UNSAFE locks
// Unlocks although trylock failed.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *run(void *arg) {
    pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m); //~ locks
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
