// args: --property memory
// expect: UNSAFE memory
// Reader and end of the thread may come in either order, and only one of the two is wrong.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int late;

static void leave(void) {
    late = 1;
    pthread_exit(0);
}

void *reader(void *arg) {
    int before = late;
    int seen = *(int *)arg; //~ memory
    return before && seen ? arg : 0;
}

void *run(void *arg) {
    pthread_t t;
    int local = 1;
    pthread_create(&t, 0, reader, &local);
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_exit(0);
}
