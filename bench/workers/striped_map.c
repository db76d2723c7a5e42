// expect: SAFE
// family: shared objects
// A hash map with chains and a lock for each stripe: each worker inserts a key of its own and adds
// to one that all share.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define STRIPES 2
#define SHARED_KEY 1000

typedef struct entry {
    struct entry *next;
    int key, value;
} entry_t;

static struct stripe {
    pthread_mutex_t lock;
    entry_t *chain;
} map[STRIPES];

static struct stripe *stripe_of(int key) { return &map[(unsigned)key % STRIPES]; }

static void map_add(int key, int amount) {
    struct stripe *s = stripe_of(key);
    pthread_mutex_lock(&s->lock);
    entry_t *e = s->chain;
    while (e && e->key != key)
        e = e->next;
    if (!e) {
        e = calloc(1, sizeof *e);
        e->key = key;
        e->next = s->chain;
        s->chain = e;
    }
    e->value += amount;
    pthread_mutex_unlock(&s->lock);
}

static int map_get(int key) {
    struct stripe *s = stripe_of(key);
    pthread_mutex_lock(&s->lock);
    entry_t *e = s->chain;
    while (e && e->key != key)
        e = e->next;
    int value = e ? e->value : -1;
    pthread_mutex_unlock(&s->lock);
    return value;
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    map_add(me, 10 * me);
    map_add(SHARED_KEY, 1);
    assert(map_get(me) == 10 * me);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&map[i].lock, NULL);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(map_get(SHARED_KEY) == WORKERS);
    for (int i = 0; i < STRIPES; i++) {
        while (map[i].chain) {
            entry_t *e = map[i].chain;
            map[i].chain = e->next;
            free(e);
        }
        pthread_mutex_destroy(&map[i].lock);
    }
    return 0;
}
