#include "mailbox.h"

#include <stdlib.h>

void mailbox_init(struct mailbox *mailbox) {
    pthread_mutex_init(&mailbox->lock, NULL);
    pthread_cond_init(&mailbox->arrived, NULL);
    mailbox->first = mailbox->last = NULL;
}

unsigned mailbox_destroy(struct mailbox *mailbox) {
    unsigned unread = 0;
    while (mailbox->first != NULL) {
        struct message *message = mailbox->first;
        mailbox->first = message->next;
        free(message);
        unread++;
    }
    pthread_cond_destroy(&mailbox->arrived);
    pthread_mutex_destroy(&mailbox->lock);
    return unread;
}

void mailbox_put(struct mailbox *mailbox, struct message *message) {
    message->next = NULL;
    pthread_mutex_lock(&mailbox->lock);
    if (mailbox->last != NULL)
        mailbox->last->next = message;
    else
        mailbox->first = message;
    mailbox->last = message;
    pthread_cond_signal(&mailbox->arrived);
    pthread_mutex_unlock(&mailbox->lock);
}

struct message *mailbox_take(struct mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    while (mailbox->first == NULL)
        pthread_cond_wait(&mailbox->arrived, &mailbox->lock);
    struct message *message = mailbox->first;
    mailbox->first = message->next;
    if (mailbox->first == NULL)
        mailbox->last = NULL;
    pthread_mutex_unlock(&mailbox->lock);
    return message;
}
