// expect: SAFE
// family: shared objects
// A pool of two connections with a free list: who finds it empty waits. A connection is used by one
// thread at a time, and all are back in the end.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define CONNECTIONS 2

struct connection {
    struct connection *next_free;
    int user;
    int uses;
};

static struct {
    mtx_t lock;
    cnd_t returned;
    struct connection *free_list;
    struct connection all[CONNECTIONS];
} pool;

static struct connection *acquire(void) {
    mtx_lock(&pool.lock);
    while (!pool.free_list)
        cnd_wait(&pool.returned, &pool.lock);
    struct connection *c = pool.free_list;
    pool.free_list = c->next_free;
    mtx_unlock(&pool.lock);
    return c;
}

static void release(struct connection *c) {
    mtx_lock(&pool.lock);
    c->next_free = pool.free_list;
    pool.free_list = c;
    mtx_unlock(&pool.lock);
    cnd_signal(&pool.returned);
}

static int query(void *arg) {
    int me = *(int *)arg;
    struct connection *c = acquire();
    assert(c->user == 0);
    c->user = me;
    c->uses++;
    assert(c->user == me);
    c->user = 0;
    release(c);
    return me;
}

int main(void) {
    thrd_t threads[WORKERS];
    int ids[WORKERS];
    mtx_init(&pool.lock, mtx_plain);
    cnd_init(&pool.returned);
    for (int i = 0; i < CONNECTIONS; i++) {
        pool.all[i].next_free = pool.free_list;
        pool.free_list = &pool.all[i];
    }
    for (int i = 0; i < WORKERS; i++) {
        ids[i] = i + 1;
        thrd_create(&threads[i], query, &ids[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        int result;
        thrd_join(threads[i], &result);
        assert(result == i + 1);
    }
    int back = 0, uses = 0;
    for (struct connection *c = pool.free_list; c; c = c->next_free) {
        back++;
        uses += c->uses;
    }
    assert(back == CONNECTIONS && uses == WORKERS);
    cnd_destroy(&pool.returned);
    mtx_destroy(&pool.lock);
    return 0;
}
