// expect: SAFE
// family: read-copy-update
// Read-copy-update with two counters of readers: a grace period turns the index over twice and waits
// each time until the side that was left has no reader. Two updates, so that one turn would not do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define UPDATES 2

struct route {
    int via, cost;
};

static _Atomic(struct route *) current;
static atomic_int side;
static atomic_int readers[2];

static int read_lock(void) {
    int i = atomic_load(&side);
    atomic_fetch_add(&readers[i], 1);
    return i;
}

static void read_unlock(int i) { atomic_fetch_sub(&readers[i], 1); }

static void synchronize(void) {
    for (int turn = 0; turn < 2; turn++) {
        int left = atomic_load(&side);
        atomic_store(&side, !left);
        while (atomic_load(&readers[left]) != 0)
            ;
    }
}

static struct route *route_new(int via) {
    struct route *r = malloc(sizeof *r);
    r->via = via;
    r->cost = 3 * via;
    return r;
}

static void *lookup(void *arg) {
    (void)arg;
    int i = read_lock();
    const struct route *r = atomic_load(&current);
    assert(r->cost == 3 * r->via);
    read_unlock(i);
    return 0;
}

static void update(int via) {
    struct route *old = atomic_exchange(&current, route_new(via));
    synchronize();
    free(old);
}

int main(void) {
    pthread_t threads[WORKERS];
    atomic_store(&current, route_new(1));
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, lookup, 0);
    for (int i = 0; i < UPDATES; i++)
        update(2 + i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&current)->via == 1 + UPDATES);
    free(atomic_load(&current));
    return 0;
}
