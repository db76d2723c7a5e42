/* A broker: threads publish values under topics, listeners hear of them. */
#ifndef BROKER_H
#define BROKER_H

#include <pthread.h>

#include "topic.h"

struct broker {
    pthread_rwlock_t lock; /* of the lists: publishing reads them */
    struct topic *topics;
    unsigned next_id;
};

void broker_init(struct broker *broker);
void broker_destroy(struct broker *broker);

/* Gives the number of the subscription; 0 if there is no memory. */
unsigned broker_subscribe(struct broker *broker, const char *topic, listener *notify,
                          void *context);
bool broker_unsubscribe(struct broker *broker, const char *topic, unsigned id);

/* Calls the listeners in the publishing thread; gives their number. */
unsigned broker_publish(struct broker *broker, const char *topic, int value);

#endif
