/* A topic: its name and who wants to hear of it. Locked by the broker. */
#ifndef TOPIC_H
#define TOPIC_H

#include <stdbool.h>

typedef void listener(void *context, const char *topic, int value);

struct subscription {
    listener *notify;
    void *context;
    unsigned id;
    struct subscription *next;
};

struct topic {
    char *name;
    struct subscription *subscriptions;
    unsigned long published;
    struct topic *next;
};

struct topic *topic_new(const char *name);
void topic_free(struct topic *topic);
bool topic_add(struct topic *topic, unsigned id, listener *notify, void *context);

/* False if there is no such subscription. */
bool topic_remove(struct topic *topic, unsigned id);

/* Calls all listeners; gives their number. */
unsigned topic_notify(const struct topic *topic, int value);

#endif
