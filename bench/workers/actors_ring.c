// expect: SAFE
// family: event loops and actors
// Actors in a ring, each with a mailbox of heap-allocated messages: a token goes around and
// counts its hops, then a message to stop follows it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

enum tag { TOKEN, STOP };

typedef struct message {
    struct message *next;
    enum tag tag;
    int hops;
} message;

typedef struct actor {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t mail;
    message *oldest, *newest;
    struct actor *successor;
    int seen;
} actor;

static actor ring[WORKERS];
static actor observer;

static void tell(actor *to, message *m) {
    m->next = NULL;
    pthread_mutex_lock(&to->lock);
    if (to->oldest)
        to->newest->next = m;
    else
        to->oldest = m;
    to->newest = m;
    pthread_cond_signal(&to->mail);
    pthread_mutex_unlock(&to->lock);
}

static message *receive(actor *self) {
    pthread_mutex_lock(&self->lock);
    while (!self->oldest)
        pthread_cond_wait(&self->mail, &self->lock);
    message *m = self->oldest;
    self->oldest = m->next;
    pthread_mutex_unlock(&self->lock);
    return m;
}

static message *message_new(enum tag tag) {
    message *m = malloc(sizeof *m);
    m->tag = tag;
    m->hops = 0;
    return m;
}

static void *behave(void *arg) {
    actor *self = arg;
    for (;;) {
        message *m = receive(self);
        int stop = m->tag == STOP;
        m->hops++;
        self->seen++;
        tell(self->successor, m);
        if (stop)
            return NULL;
    }
}

static void actor_init(actor *a, actor *successor) {
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->mail, NULL);
    a->successor = successor;
}

int main(void) {
    actor_init(&observer, NULL);
    for (int i = 0; i < WORKERS; i++)
        actor_init(&ring[i], i + 1 < WORKERS ? &ring[i + 1] : &observer);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&ring[i].thread, NULL, behave, &ring[i]);
    tell(&ring[0], message_new(TOKEN));
    tell(&ring[0], message_new(STOP));
    for (int i = 0; i < 2; i++) {
        message *m = receive(&observer);
        assert(m->tag == (i == 0 ? TOKEN : STOP));
        assert(m->hops == WORKERS);
        free(m);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(ring[i].thread, NULL);
        assert(ring[i].seen == 2);
    }
    return 0;
}
