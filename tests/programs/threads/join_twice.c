// args: --property locks
// expect: UNSAFE locks
// A thread is joined a second time.
#include <pthread.h>

void *run(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(t, 0); //~ locks
    return 0;
}
