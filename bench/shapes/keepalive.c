// Workers in a loop whose flag nobody clears.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int jobs;
int keepalive = 1;

void *worker(void *a) {
    while (keepalive) {
        pthread_mutex_lock(&m);
        if (jobs > 0)
            jobs--;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&m);
    jobs = 3;
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
