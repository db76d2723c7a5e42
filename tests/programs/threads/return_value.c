// args: --property assertions
// expect: SAFE
// pthread_join gives what the start function returned.
#include <assert.h>
#include <pthread.h>

void *run(void *arg) {
    return (void *)((long)arg + 2);
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, run, (void *)40);
    pthread_join(t, &result);
    assert((long)result == 42);
    return 0;
}
