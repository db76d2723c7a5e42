// N threads that lock, add and unlock.
#include <pthread.h>
#ifndef N
#define N 10
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;

void *add(void *a) {
    pthread_mutex_lock(&m);
    total++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
