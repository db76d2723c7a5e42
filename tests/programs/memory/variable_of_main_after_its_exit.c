// args: --property memory
// expect: UNSAFE memory
// pthread_exit in main leaves the other threads running, but main's variables are gone.
#include <pthread.h>

void *run(void *arg) {
    *(int *)arg = 1; //~ memory
    return 0;
}

int main(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, run, &local);
    pthread_exit(0);
}
