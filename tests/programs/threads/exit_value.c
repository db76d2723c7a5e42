// args: --property assertions
// expect: SAFE
// pthread_exit ends the thread from a nested call and gives the value to join.
#include <assert.h>
#include <pthread.h>

void leave(long value) {
    pthread_exit((void *)value);
}

void *run(void *arg) {
    leave((long)arg);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, run, (void *)7);
    pthread_join(t, &result);
    assert(result == (void *)7);
    return 0;
}
