// expect: SAFE
// family: fork and join
// A stencil in phases: each worker computes its cell from its neighbours' in the other grid, then all
// meet at a barrier.
#include <assert.h>
#include <pthread.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define PHASES 2

static int grid[2][WORKERS + 2];
static pthread_barrier_t phase_done;

struct slice {
    pthread_t thread;
    int cell;
};

static int expected_after(int phases, int cell) {
    int a[WORKERS + 2], b[WORKERS + 2];
    for (int i = 0; i < WORKERS + 2; i++)
        a[i] = b[i] = i;
    for (int p = 0; p < phases; p++) {
        for (int i = 1; i <= WORKERS; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i <= WORKERS; i++)
            a[i] = b[i];
    }
    return a[cell];
}

static void *relax(void *arg) {
    const struct slice *slice = arg;
    int i = slice->cell;
    for (int phase = 0; phase < PHASES; phase++) {
        const int *from = grid[phase % 2];
        int *to = grid[(phase + 1) % 2];
        to[i] = from[i - 1] + from[i + 1];
        pthread_barrier_wait(&phase_done);
    }
    return 0;
}

int main(void) {
    struct slice slices[WORKERS];
    for (int i = 0; i < WORKERS + 2; i++)
        grid[0][i] = grid[1][i] = i;
    pthread_barrier_init(&phase_done, 0, WORKERS);
    for (int i = 0; i < WORKERS; i++) {
        slices[i].cell = i + 1;
        pthread_create(&slices[i].thread, 0, relax, &slices[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(slices[i].thread, 0);
    pthread_barrier_destroy(&phase_done);
    for (int i = 1; i <= WORKERS; i++)
        assert(grid[PHASES % 2][i] == expected_after(PHASES, i));
    return 0;
}
