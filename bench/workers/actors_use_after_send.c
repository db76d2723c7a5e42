// expect: UNSAFE memory
// family: event loops and actors
// An actor that looks at a message once more after it has sent it away: the receiver may have freed it.
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct message {
    struct message *next;
    int length;
    char body[4];
};

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct message *first;
};

static struct mailbox printer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static int bytes_sent[WORKERS], bytes_printed;

static void mailbox_send(struct mailbox *box, struct message *m) {
    pthread_mutex_lock(&box->lock);
    m->next = box->first;
    box->first = m;
    pthread_cond_signal(&box->arrived);
    pthread_mutex_unlock(&box->lock);
}

static struct message *mailbox_receive(struct mailbox *box) {
    pthread_mutex_lock(&box->lock);
    while (!box->first)
        pthread_cond_wait(&box->arrived, &box->lock);
    struct message *m = box->first;
    box->first = m->next;
    pthread_mutex_unlock(&box->lock);
    return m;
}

static void *print_actor(void *arg) {
    (void)arg;
    for (int i = 0; i < WORKERS; i++) {
        struct message *m = mailbox_receive(&printer);
        bytes_printed += m->length;
        free(m);
    }
    return NULL;
}

static void *client(void *arg) {
    int *sent = arg;
    struct message *m = calloc(1, sizeof *m);
    m->length = 2;
    m->body[0] = 'h';
    m->body[1] = 'i';
    mailbox_send(&printer, m);
    *sent = m->length; //~ memory
    return NULL;
}

int main(void) {
    pthread_t actor, clients[WORKERS];
    pthread_create(&actor, NULL, print_actor, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&clients[i], NULL, client, &bytes_sent[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(actor, NULL);
    return bytes_printed == 2 * WORKERS ? 0 : 1;
}
