// args: --property leaks
// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2
// args unwinding: --unwind 2
// expect: UNSAFE leaks
// Nobody waits for the thread that serves requests: what it allocates may come after the end.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int *cache;

void *serve(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&mutex);
        if (!cache)
            cache = malloc(sizeof *cache); //~ leaks
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    free(cache);
}
