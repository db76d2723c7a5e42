#include "topic.h"

#include <stdlib.h>
#include <string.h>

struct topic *topic_new(const char *name) {
    struct topic *topic = calloc(1, sizeof *topic);
    if (topic == NULL)
        return NULL;
    topic->name = strdup(name);
    if (topic->name == NULL) {
        free(topic);
        return NULL;
    }
    return topic;
}

void topic_free(struct topic *topic) {
    while (topic->subscriptions != NULL)
        topic_remove(topic, topic->subscriptions->id);
    free(topic->name);
    free(topic);
}

bool topic_add(struct topic *topic, unsigned id, listener *notify, void *context) {
    struct subscription *subscription = malloc(sizeof *subscription);
    if (subscription == NULL)
        return false;
    subscription->notify = notify;
    subscription->context = context;
    subscription->id = id;
    subscription->next = topic->subscriptions;
    topic->subscriptions = subscription;
    return true;
}

bool topic_remove(struct topic *topic, unsigned id) {
    for (struct subscription **link = &topic->subscriptions; *link != NULL;
         link = &(*link)->next) {
        struct subscription *subscription = *link;
        if (subscription->id == id) {
            *link = subscription->next;
            free(subscription);
            return true;
        }
    }
    return false;
}

unsigned topic_notify(const struct topic *topic, int value) {
    unsigned count = 0;
    for (const struct subscription *s = topic->subscriptions; s != NULL; s = s->next) {
        s->notify(s->context, topic->name, value);
        count++;
    }
    return count;
}
