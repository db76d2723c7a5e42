// expect: SAFE
// family: read-copy-update
// Read-copy-update with epochs: a reader announces the epoch in which it entered, or 0 outside; the
// updater frees an old version when every reader is outside or entered later.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct config {
    unsigned version;
    unsigned mirror;
} config_t;

static atomic_uint epoch = 1;
static atomic_uint announced[WORKERS];
static _Atomic(config_t *) active;

static config_t *config_new(unsigned version) {
    config_t *c = malloc(sizeof *c);
    c->version = version;
    c->mirror = ~version;
    return c;
}

static void enter(int me) { atomic_store(&announced[me], atomic_load(&epoch)); }
static void leave(int me) { atomic_store(&announced[me], 0); }

static void wait_for_readers(unsigned now) {
    for (int i = 0; i < WORKERS; i++)
        for (;;) {
            unsigned e = atomic_load(&announced[i]);
            if (e == 0 || e >= now)
                break;
        }
}

static void replace(config_t *next) {
    config_t *old = atomic_exchange(&active, next);
    unsigned now = atomic_fetch_add(&epoch, 1) + 1;
    wait_for_readers(now);
    free(old);
}

static void *reader(void *arg) {
    int me = (int)(long)arg;
    unsigned last = 0;
    for (int i = 0; i < 2; i++) {
        enter(me);
        config_t *c = atomic_load(&active);
        assert(c->mirror == ~c->version);
        assert(c->version >= last);
        last = c->version;
        leave(me);
    }
    return NULL;
}

int main(void) {
    pthread_t readers[WORKERS];
    atomic_init(&active, config_new(1));
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&readers[i], NULL, reader, (void *)i);
    replace(config_new(2));
    replace(config_new(3));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(readers[i], NULL);
    free(atomic_load(&active));
    return 0;
}
