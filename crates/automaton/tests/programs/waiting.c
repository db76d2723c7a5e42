// Threads that wait in different ways, and one that does not.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int flag, word;
volatile int sum;

void *takes_a_lock(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

void *spins_for_a_flag(void *unused) {
    while (flag == 0)
        ;
    return unused;
}

void *tries_to_exchange(void *unused) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&word, &free, 1))
        free = 0;
    return unused;
}

void *spins_behind_a_loop(void *unused) {
    do {
        for (int i = 0; i < 3; i++)
            ;
    } while (flag == 0);
    return unused;
}

void *counts_iterations(void *unused) {
    int count = 0;
    while (flag == 0)
        count++;
    sum = count;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, takes_a_lock, 0);
    pthread_create(&thread, 0, spins_for_a_flag, 0);
    pthread_create(&thread, 0, tries_to_exchange, 0);
    pthread_create(&thread, 0, spins_behind_a_loop, 0);
    pthread_create(&thread, 0, counts_iterations, 0);
    flag = word;
    return 0;
}
