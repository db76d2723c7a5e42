// expect: SAFE
// Each takes the fork with the lower number first.
#include <pthread.h>

pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};

void *dine(void *arg) {
    long i = (long)arg, j = (i + 1) % 3;
    pthread_mutex_t *low = &fork_[i < j ? i : j], *high = &fork_[i < j ? j : i];
    pthread_mutex_lock(low);
    pthread_mutex_lock(high);
    pthread_mutex_unlock(high);
    pthread_mutex_unlock(low);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
