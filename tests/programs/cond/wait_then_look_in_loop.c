// A wait that seems to repeat the one before it: what the thread found after that one has changed
// when it holds the mutex again.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int version, ready;

void *reads(void *a) {
    int first = 1, found = 0;
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
        if (first) {
            found = version;
            first = 0;
        }
    }
    assert(first || found == version); //~ assertions
    pthread_mutex_unlock(&m);
    return a;
}

void *writes(void *a) {
    pthread_mutex_lock(&m);
    version = 1;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reads, 0);
    pthread_create(&u, 0, writes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
