// args: --property assertions
// expect: UNSAFE assertions
// Addition is not associative: what is added to a large sum is lost.
#include <assert.h>
#include <pthread.h>

float sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void add(float amount) {
    pthread_mutex_lock(&m);
    sum += amount;
    pthread_mutex_unlock(&m);
}

void *run(void *arg) {
    add(16777216);
    add(-16777216);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    add(1);
    pthread_join(t, 0);
    assert(sum == 1 || sum == 0);
    assert(sum == 1); //~ assertions
    return 0;
}
