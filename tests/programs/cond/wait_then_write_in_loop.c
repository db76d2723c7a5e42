// A wait that seems to repeat the one before it: what the thread wrote after that one is seen only
// when the mutex is released again.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int asked, answered;

void *asks(void *a) {
    int first = 1;
    pthread_mutex_lock(&m);
    while (!answered) {
        pthread_cond_wait(&c, &m);
        if (first) {
            asked = 1;
            first = 0;
        }
    }
    pthread_mutex_unlock(&m);
    assert(0); //~ assertions
    return a;
}

void *answers(void *a) {
    pthread_mutex_lock(&m);
    if (asked)
        answered = 1;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, asks, 0);
    pthread_create(&u, 0, answers, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
