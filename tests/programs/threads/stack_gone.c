// args: --property memory
// expect: UNSAFE memory
// The function whose variable the thread writes may have returned.
#include <pthread.h>

void *run(void *arg) {
    *(int *)arg = 1; //~ memory
    return 0;
}

pthread_t start(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, run, &local);
    return t;
}

int main(void) {
    pthread_join(start(), 0);
    return 0;
}
