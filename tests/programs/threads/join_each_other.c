// args: --property deadlocks
// expect: UNSAFE deadlocks
// The thread waits for main, main waits for the thread.
#include <pthread.h>

void *run(void *creator) {
    pthread_join(*(pthread_t *)creator, 0); //~ deadlocks
    return 0;
}

int main(void) {
    pthread_t t, me = pthread_self();
    pthread_create(&t, 0, run, &me);
    pthread_join(t, 0); //~ deadlocks
    return 0;
}
