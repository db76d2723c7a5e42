// args: --property deadlocks
// expect: UNSAFE deadlocks
// The only signal may go to the thread that would have timed out anyway.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *impatient(void *arg) {
    struct timespec time = {0, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &time);
    pthread_mutex_unlock(&m);
    return arg;
}

void *patient(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); //~ deadlocks
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, impatient, 0);
    pthread_create(&u, 0, patient, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_join(u, 0); //~ deadlocks
    return 0;
}
