// expect: UNSAFE assertions
// expect WORKERS=1: SAFE
// family: locks and initialisation
// A sequence lock whose writers do not exclude each other: between two odd numbers of different writers
// readers see an even one, and halves of two updates.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WORKERS
#define WORKERS 2
#endif

static atomic_uint sequence;
static atomic_int hours, minutes;

static void set_time(int h, int m) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&hours, h);
    atomic_store(&minutes, m);
    atomic_fetch_add(&sequence, 1);
}

static int get_time(void) {
    for (;;) {
        unsigned before = atomic_load(&sequence);
        if (before % 2)
            continue;
        int h = atomic_load(&hours);
        int m = atomic_load(&minutes);
        if (atomic_load(&sequence) == before)
            return 60 * h + m;
    }
}

static void *writer(void *arg) {
    int i = (int)(long)arg;
    set_time(i, i);
    return 0;
}

static void *reader(void *arg) {
    (void)arg;
    int now = get_time();
    assert(now % 61 == 0); //~ assertions
    return 0;
}

int main(void) {
    pthread_t writers[WORKERS], clock;
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&writers[i], 0, writer, (void *)(i + 1));
    pthread_create(&clock, 0, reader, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(writers[i], 0);
    pthread_join(clock, 0);
    assert(sequence == 2 * WORKERS);
    return 0;
}
