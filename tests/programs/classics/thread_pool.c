// expect: SAFE
// Two workers take jobs from a queue until it is closed.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int jobs, closed, done;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (jobs == 0 && !closed)
            pthread_cond_wait(&c, &m);
        if (jobs == 0)
            break;
        jobs--;
        done++;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_mutex_lock(&m);
    jobs = 2;
    closed = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(done == 2);
    return 0;
}
