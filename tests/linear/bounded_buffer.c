// A buffer with room for one, with condition variables. Who wakes up spuriously again and again keeps others from the
// mutex, if scheduling is only weakly fair.
// UNSAFE --ltl G F (full == 1)
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
unsigned char full;

void *consumer(void *p) {
    while (1) {
        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&changed, &lock);
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    while (1) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&changed, &lock);
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}
