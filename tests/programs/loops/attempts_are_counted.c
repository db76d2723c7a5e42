// args: --property assertions
// expect: UNSAFE assertions
// Who counts how often an exchange fails is not where it was when it comes back to the loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;

void *other(void *arg) {
    word = 1;
    word = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    int attempts = 0, expected = 0;
    pthread_create(&t, 0, other, 0);
    while (!atomic_compare_exchange_strong(&word, &expected, 2)) {
        expected = 0;
        attempts++;
    }
    assert(attempts < 2); //~ assertions
    pthread_join(t, 0);
    return 0;
}
