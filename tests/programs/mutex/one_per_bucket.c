// args: --property races
// expect: SAFE
// Every bucket has a mutex of its own.
#include <pthread.h>

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int bucket[2];

void *run(void *arg) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m[k]);
        bucket[k] += (int)(long)arg;
        pthread_mutex_unlock(&m[k]);
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)1);
    pthread_create(&u, 0, run, (void *)2);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
