// args: --property races
// expect: UNSAFE races
// Without a join, reading what the thread writes is a race.
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
