// args explore: --steps 50
// expect: SAFE
// expect explore: BOUNDED (too many executions to see them all)
// Eight philosophers; each takes the fork with the lower number first.
#include <pthread.h>

#define N 8

struct fork {
    pthread_mutex_t held;
    int uses;
} fork_[N];

void *dine(void *arg) {
    long i = (long)arg, j = (i + 1) % N;
    struct fork *first = &fork_[i < j ? i : j], *second = &fork_[i < j ? j : i];
    pthread_mutex_lock(&first->held);
    pthread_mutex_lock(&second->held);
    first->uses++;
    second->uses++;
    pthread_mutex_unlock(&second->held);
    pthread_mutex_unlock(&first->held);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i].held, 0);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
