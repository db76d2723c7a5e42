// expect: UNSAFE races
// expect WORKERS=1: SAFE
// family: fork and join
// A stencil in place with one barrier in each phase, where two are needed: a fast thread writes its cell
// while its neighbour still reads it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define PHASES 2
#define HOT 40

struct plate {
    pthread_barrier_t barrier;
    int cells[WORKERS + 2];
};

struct share {
    pthread_t thread;
    struct plate *plate;
    int cell;
};

static int average(int left, int right) { return (left + right) / 2; }

static void *relax(void *arg) {
    struct share *mine = arg;
    int *cell = &mine->plate->cells[mine->cell];
    for (int phase = 0; phase < PHASES; phase++) {
        int left = cell[-1];              //~ races
        int right = cell[1];              //~ races
        *cell = average(left, right);     //~ races
        pthread_barrier_wait(&mine->plate->barrier);
    }
    return 0;
}

static struct plate *plate_new(void) {
    struct plate *plate = calloc(1, sizeof *plate);
    plate->cells[0] = plate->cells[WORKERS + 1] = HOT;
    pthread_barrier_init(&plate->barrier, 0, WORKERS);
    return plate;
}

int main(void) {
    struct share shares[WORKERS];
    struct plate *plate = plate_new();
    for (int i = 0; i < WORKERS; i++) {
        shares[i].plate = plate;
        shares[i].cell = i + 1;
        pthread_create(&shares[i].thread, 0, relax, &shares[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(shares[i].thread, 0);
    for (int i = 1; i <= WORKERS; i++)
        assert(plate->cells[i] <= HOT);
    pthread_barrier_destroy(&plate->barrier);
    free(plate);
    return 0;
}
