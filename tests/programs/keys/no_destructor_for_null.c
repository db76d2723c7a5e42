// args: --property assertions
// expect: UNSAFE assertions
// A key that was never set has no destructor call.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int calls;

void destroy(void *value) {
    (void)value;
    calls++;
}

void *run(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(calls == 1); //~ assertions
    return 0;
}
