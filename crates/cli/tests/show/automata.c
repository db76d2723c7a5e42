/* A thread that waits for a flag under a mutex, one that takes a lock of its own, and one that sets both. */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct {
    int ready;
    int data[2];
} shared;
atomic_int word;

void *waits(void *a) {
    pthread_mutex_lock(&m);
    while (!shared.ready)
        pthread_cond_wait(&c, &m);
    shared.data[1] = shared.data[0] + 1;
    pthread_mutex_unlock(&m);
    return a;
}

void *spins(void *a) {
    while (atomic_exchange(&word, 1))
        ;
    shared.data[0]--;
    atomic_store(&word, 0);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, waits, 0);
    pthread_create(&u, 0, spins, 0);
    pthread_mutex_lock(&m);
    shared.ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
