// args: --property races
// expect: UNSAFE races
// volatile does not prevent a race.
#include <pthread.h>

volatile int flag;

void *run(void *arg) {
    flag = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = flag; //~ races
    pthread_join(t, 0);
    return seen;
}
