// args: --property assertions
// expect: UNSAFE assertions
// Two threads add to a double.
#include <assert.h>
#include <pthread.h>

double sum = 0.5;

void *run(void *arg) {
    sum += 0.25;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    sum += 0.25;
    pthread_join(t, 0);
    assert(sum == 1.0); //~ assertions
    return 0;
}
