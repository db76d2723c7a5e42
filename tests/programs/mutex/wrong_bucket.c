// args: --property races
// expect: UNSAFE races
// The index of the mutex is not the index of the bucket.
#include <pthread.h>

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int bucket[2];

void *run(void *arg) {
    long k = (long)arg;
    pthread_mutex_lock(&m[k % 2]);
    bucket[k / 2]++; //~ races
    pthread_mutex_unlock(&m[k % 2]);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)2);
    pthread_create(&u, 0, run, (void *)3);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
