// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property leaks
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// expect explore: BOUNDED (only some values of inputs are tried)
// What any number of requests allocates is freed once the thread that serves them has ended.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int *cache;

void *serve(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&mutex);
        if (!cache)
            cache = malloc(sizeof *cache);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    pthread_join(t, 0);
    free(cache);
}
