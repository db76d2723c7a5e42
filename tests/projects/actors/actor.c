#include "actor.h"

#include <assert.h>
#include <stdlib.h>

static void *run(void *argument) {
    struct actor *actor = argument;
    bool goes_on = true;
    while (goes_on) {
        struct message *message = mailbox_take(&actor->mailbox);
        goes_on = actor->receive(actor, message);
        if (message->sender != NULL)
            actor_drop(message->sender);
        free(message);
    }
    actor_drop(actor);
    return NULL;
}

struct actor *actor_start(behaviour *receive) {
    struct actor *actor = calloc(1, sizeof *actor);
    if (actor == NULL)
        return NULL;
    mailbox_init(&actor->mailbox);
    actor->receive = receive;
    atomic_init(&actor->references, 2); /* the caller's and the thread's */
    if (pthread_create(&actor->thread, NULL, run, actor) != 0) {
        mailbox_destroy(&actor->mailbox);
        free(actor);
        return NULL;
    }
    return actor;
}

struct actor *actor_hold(struct actor *actor) {
    atomic_fetch_add(&actor->references, 1);
    return actor;
}

void actor_drop(struct actor *actor) {
    if (atomic_fetch_sub(&actor->references, 1) == 1) {
        mailbox_destroy(&actor->mailbox);
        free(actor);
    }
}

bool actor_send(struct actor *to, enum message_kind kind, int number, struct actor *sender) {
    struct message *message = malloc(sizeof *message);
    if (message == NULL)
        return false;
    message->kind = kind;
    message->number = number;
#ifdef BUG
    /* Who receives the message drops a reference that nobody took. */
    message->sender = sender;
#else
    message->sender = sender != NULL ? actor_hold(sender) : NULL;
#endif
    mailbox_put(&to->mailbox, message);
    return true;
}

void actor_join(struct actor *actor) { pthread_join(actor->thread, NULL); }
