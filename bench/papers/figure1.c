// The program of paper 000, figure 1: threads that run for ever, each taking a lock in a function that it calls in two
// places, with a longer and a shorter way through it. THREADS (2, with main)
#include <pthread.h>
#ifndef THREADS
#define THREADS 2
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared, other;

static void visit(int mine) {
    pthread_mutex_lock(&lock);
    if (shared != mine) {
        shared = mine;
        other = other + mine;
    }
    pthread_mutex_unlock(&lock);
}

static void *run(void *unused) {
    while (1) {
        if (other < 9) {
            visit(1);
            other = 0;
        } else {
            visit(2);
        }
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS - 1];
    for (int i = 0; i < THREADS - 1; i++)
        pthread_create(&threads[i], 0, run, 0);
    run(0);
}
