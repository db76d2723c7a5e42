// args: --property assertions,reach-error,races,deadlocks,memory,locks,leaks
// expect: UNSAFE leaks
// family: locks and initialisation
// Lock-free lazy initialisation: who loses the exchange uses the winner's object and forgets its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct catalogue {
    int entries;
    int checksum;
};

static _Atomic(struct catalogue *) catalogue;

static struct catalogue *load_catalogue(void) {
    struct catalogue *c = malloc(sizeof *c); //~ leaks
    c->entries = 12;
    c->checksum = 12 ^ 0x2a;
    return c;
}

static struct catalogue *get_catalogue(void) {
    struct catalogue *c = atomic_load(&catalogue);
    if (!c) {
        struct catalogue *mine = load_catalogue();
        if (atomic_compare_exchange_strong(&catalogue, &c, mine))
            c = mine;
    }
    return c;
}

static int is_sound(const struct catalogue *c) { return (c->entries ^ c->checksum) == 0x2a; }

static void *worker(void *arg) {
    (void)arg;
    struct catalogue *c = get_catalogue();
    assert(is_sound(c));
    assert(c == atomic_load(&catalogue));
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    assert(is_sound(get_catalogue()));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    free(get_catalogue());
    return 0;
}
