// expect: UNSAFE deadlocks
// family: services
// A server with a lock for the table of sessions and one for each session: requests take the session's
// first, the reaper the table's.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct session {
    pthread_mutex_t lock;
    bool idle;
    int requests;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *table[WORKERS];
static int total_requests, reaped;

static struct session *session_new(void) {
    struct session *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void *handle(void *arg) {
    struct session *s = arg;
    pthread_mutex_lock(&s->lock);
    s->requests++;
    pthread_mutex_lock(&table_lock); //~ deadlocks
    total_requests++;
    pthread_mutex_unlock(&table_lock);
    s->idle = true;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *reap(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_lock(&table[i]->lock); //~ deadlocks
        if (table[i]->idle)
            reaped++;
        pthread_mutex_unlock(&table[i]->lock);
    }
    pthread_mutex_unlock(&table_lock);
    return NULL;
}

int main(void) {
    pthread_t handlers[WORKERS], reaper;
    for (int i = 0; i < WORKERS; i++)
        table[i] = session_new();
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&handlers[i], NULL, handle, table[i]);
    pthread_create(&reaper, NULL, reap, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(handlers[i], NULL);
    pthread_join(reaper, NULL);
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_destroy(&table[i]->lock);
        free(table[i]);
    }
    return 0;
}
