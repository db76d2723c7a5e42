// args: --property memory
// expect: SAFE
// The function joins the thread before its variable dies.
#include <pthread.h>

void *run(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int start(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, run, &local);
    pthread_join(t, 0);
    return local;
}

int main(void) {
    return start() - 1;
}
