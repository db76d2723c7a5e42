// expect: SAFE
// family: services
// A server with a table of sessions: a handler opens a session, another may look it up by number and
// count a request in it. A session lives while the table or a handler refers to it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct session {
    int id;
    int references; // guarded by the table's lock
    pthread_mutex_t lock;
    int requests; // guarded by the session's lock
} session_t;

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static session_t *table[WORKERS];
static int alive;

static session_t *session_open(int id) {
    session_t *s = malloc(sizeof *s);
    s->id = id;
    s->references = 2;
    s->requests = 0;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_lock(&table_lock);
    table[id] = s;
    alive++;
    pthread_mutex_unlock(&table_lock);
    return s;
}

static session_t *session_find(int id) {
    pthread_mutex_lock(&table_lock);
    session_t *s = table[id];
    if (s)
        s->references++;
    pthread_mutex_unlock(&table_lock);
    return s;
}

static void session_put(session_t *s) {
    pthread_mutex_lock(&table_lock);
    int left = --s->references;
    if (left == 0)
        alive--;
    pthread_mutex_unlock(&table_lock);
    if (left == 0) {
        pthread_mutex_destroy(&s->lock);
        free(s);
    }
}

static void session_request(session_t *s) {
    pthread_mutex_lock(&s->lock);
    s->requests++;
    pthread_mutex_unlock(&s->lock);
}

static void session_close(session_t *s) {
    pthread_mutex_lock(&table_lock);
    assert(table[s->id] == s);
    table[s->id] = NULL;
    s->references--;
    pthread_mutex_unlock(&table_lock);
    session_put(s);
}

static void *handler(void *arg) {
    int id = (int)(long)arg;
    session_t *mine = session_open(id);
    session_t *other = session_find((id + 1) % WORKERS);
    if (other) {
        session_request(other);
        session_put(other);
    }
    session_request(mine);
    session_close(mine);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, handler, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(alive == 0);
    return 0;
}
