/* An adder and a client that asks it: actors that send each other messages.
 *
 * repaired: SAFE
 * bug: a message holds no reference to its sender
 * finding: memory,assertions,locks actor.c,mailbox.c,main.c
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "actor.h"

static bool add(struct actor *self, const struct message *message) {
    switch (message->kind) {
    case MESSAGE_ADD:
        self->state += message->number;
        if (message->sender != NULL)
            actor_send(message->sender, MESSAGE_REPLY, self->state, NULL);
        return true;
    case MESSAGE_STOP:
        return false;
    default:
        return true;
    }
}

static bool remember(struct actor *self, const struct message *message) {
    if (message->kind == MESSAGE_REPLY)
        self->state = message->number;
    return false; /* one reply is enough */
}

int main(void) {
    struct actor *adder = actor_start(add);
    struct actor *client = actor_start(remember);
    if (adder == NULL || client == NULL)
        return EXIT_FAILURE;
    actor_send(adder, MESSAGE_ADD, 3, client);
    actor_send(adder, MESSAGE_STOP, 0, NULL);
    actor_join(client);
    assert(client->state == 3);
    actor_join(adder);
    printf("the sum is %d\n", client->state);
    actor_drop(client);
    actor_drop(adder);
    return EXIT_SUCCESS;
}
