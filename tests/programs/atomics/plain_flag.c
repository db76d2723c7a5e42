// args: --property races
// expect: UNSAFE races
// A plain flag is a race, although the data are ordered by it.
#include <pthread.h>

int data, flag;

void *run(void *arg) {
    data = 42;
    flag = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, run, 0);
    if (flag) //~ races
        seen = data;
    pthread_join(t, 0);
    return seen;
}
