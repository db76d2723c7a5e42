// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions,races
// expect: SAFE
// expect staged: BOUNDED (loops without an end are not unrolled to one)
// expect explore: BOUNDED (only some values of inputs are tried)
// A writer stores an input twice under a mutex; whoever holds the mutex finds both equal, for ever
// and for every value.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void *writer(void *unused) {
    for (;;) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&mutex);
        first = value;
        second = value;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        assert(first == second);
        pthread_mutex_unlock(&mutex);
    }
}
