/* The mailbox of an actor: messages in the order of their arrival. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>
#include <stdbool.h>

enum message_kind { MESSAGE_ADD, MESSAGE_REPLY, MESSAGE_STOP };

struct actor;

struct message {
    enum message_kind kind;
    int number;
    struct actor *sender; /* to whom to reply, or NULL */
    struct message *next;
};

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct message *first, *last;
};

void mailbox_init(struct mailbox *mailbox);

/* Frees what was not read; gives the number of messages. */
unsigned mailbox_destroy(struct mailbox *mailbox);

/* The mailbox owns the message from then on. */
void mailbox_put(struct mailbox *mailbox, struct message *message);

/* Waits for a message, which the caller frees. */
struct message *mailbox_take(struct mailbox *mailbox);

#endif
