/* Actors: a thread with a mailbox and a behaviour. Others hold references to it; the last one frees it. */
#ifndef ACTOR_H
#define ACTOR_H

#include <stdatomic.h>

#include "mailbox.h"

/* Called for each message; false ends the actor. The message is freed afterwards. */
typedef bool behaviour(struct actor *self, const struct message *message);

struct actor {
    struct mailbox mailbox;
    behaviour *receive;
    int state;
    atomic_int references;
    pthread_t thread;
};

/* The caller holds the only reference, and joins the actor. */
struct actor *actor_start(behaviour *receive);
struct actor *actor_hold(struct actor *actor);
void actor_drop(struct actor *actor);

/* False if there is no memory. */
bool actor_send(struct actor *to, enum message_kind kind, int number, struct actor *sender);
void actor_join(struct actor *actor);

#endif
