// A bounded buffer with two condition variables: P producers and P consumers of ITEMS items each.
#include <pthread.h>
#ifndef P
#define P 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#define CAP 2
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
int buf[CAP], n, in, out;

void *producer(void *a) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (n == CAP)
            pthread_cond_wait(&full, &m);
        buf[in] = i;
        in = (in + 1) % CAP;
        n++;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *a) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (n == 0)
            pthread_cond_wait(&empty, &m);
        int x = buf[out];
        (void)x;
        out = (out + 1) % CAP;
        n--;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t[2 * P];
    for (int i = 0; i < P; i++) {
        pthread_create(&t[i], 0, producer, 0);
        pthread_create(&t[P + i], 0, consumer, 0);
    }
    for (int i = 0; i < 2 * P; i++)
        pthread_join(t[i], 0);
    return 0;
}
