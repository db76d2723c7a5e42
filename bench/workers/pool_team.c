// expect: SAFE
// family: pools
// A team of threads for parallel loops: main publishes a loop under a new generation number and takes
// part in it; members wait for the next generation, and main for the last member.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS (WORKERS + 1)
#endif
#define ROUNDS 2

static struct team {
    pthread_mutex_t lock;
    pthread_cond_t start, end;
    unsigned generation;
    int next, limit, running;
    bool quit;
    void (*body)(int);
} team = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .start = PTHREAD_COND_INITIALIZER,
    .end = PTHREAD_COND_INITIALIZER,
};

static int cells[JOBS];

// With the lock held.
static void take_part(void) {
    while (team.next < team.limit) {
        int i = team.next++;
        pthread_mutex_unlock(&team.lock);
        team.body(i);
        pthread_mutex_lock(&team.lock);
    }
}

static void *member(void *arg) {
    (void)arg;
    unsigned seen = 0;
    pthread_mutex_lock(&team.lock);
    for (;;) {
        while (team.generation == seen && !team.quit)
            pthread_cond_wait(&team.start, &team.lock);
        if (team.quit)
            break;
        seen = team.generation;
        take_part();
        if (--team.running == 0)
            pthread_cond_signal(&team.end);
    }
    pthread_mutex_unlock(&team.lock);
    return 0;
}

static void parallel_for(int limit, void (*body)(int)) {
    pthread_mutex_lock(&team.lock);
    team.body = body;
    team.next = 0;
    team.limit = limit;
    team.running = WORKERS;
    team.generation++;
    pthread_cond_broadcast(&team.start);
    take_part();
    while (team.running > 0)
        pthread_cond_wait(&team.end, &team.lock);
    pthread_mutex_unlock(&team.lock);
}

static void add_index(int i) { cells[i] += i + 1; }

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, member, 0);
    for (int round = 1; round <= ROUNDS; round++) {
        parallel_for(JOBS, add_index);
        for (int i = 0; i < JOBS; i++)
            assert(cells[i] == round * (i + 1));
    }
    pthread_mutex_lock(&team.lock);
    team.quit = true;
    pthread_cond_broadcast(&team.start);
    pthread_mutex_unlock(&team.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
