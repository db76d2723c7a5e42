// args: --property assertions,memory
// expect: SAFE
// What is pushed last runs first; what is popped does not run again; a joiner learns that the thread was cancelled.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int trace;

void note(void *digit) { trace = trace * 10 + (int)(long)digit; }

void *work(void *arg) {
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)2);
    pthread_cleanup_push(note, (void *)3);
    pthread_cleanup_pop(0);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(trace == (result == PTHREAD_CANCELED ? 21 : 1));
    return 0;
}
