// args: --property locks --property deadlocks
// expect: SAFE
// Every thread is joined or detached once, main by another one, and not always by its creator.
#include <pthread.h>

pthread_t first, second, starter;

void *run(void *arg) { return arg; }

void *collect(void *arg) {
    pthread_join(first, 0);
    pthread_create(&second, 0, run, 0);
    pthread_detach(second);
    pthread_join(starter, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    starter = pthread_self();
    pthread_create(&first, 0, run, 0);
    pthread_create(&t, 0, collect, 0);
    pthread_detach(t);
    pthread_exit(0);
}
