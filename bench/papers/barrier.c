// A barrier: THREADS (13, with main) workers that go through phases together. In none of the papers.
//
// It is made of a mutex, a condition variable and a phase number; in each phase a worker writes its own slot and,
// after the barrier, reads that of its neighbour. MISTAKE: there is no barrier between writing and reading.
// That nobody passes before the last one has come is an argument by counting, which clauses express case by case.
#include <pthread.h>
#ifndef THREADS
#define THREADS 13
#endif
#ifndef PHASES
#define PHASES 1
#endif
enum { WORKERS = THREADS - 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, phase;
static int slots[WORKERS], sums[WORKERS];

static void barrier(void) {
    pthread_mutex_lock(&lock);
    int now = phase;
    if (++arrived == WORKERS) {
        arrived = 0;
        phase++;
        pthread_cond_broadcast(&all_here);
    } else {
        while (phase == now)
            pthread_cond_wait(&all_here, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *number) {
    int me = (int)(long)number;
    for (int p = 0; p < PHASES; p++) {
        slots[me] = me + p;
#ifndef MISTAKE
        barrier();
#endif
        sums[me] += slots[(me + 1) % WORKERS];
        barrier();
    }
    return 0;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, worker, (void *)(long)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    return 0;
}
