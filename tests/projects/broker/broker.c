#include "broker.h"

#include <string.h>

static struct topic *find(const struct broker *broker, const char *name) {
    struct topic *topic = broker->topics;
    while (topic != NULL && strcmp(topic->name, name) != 0)
        topic = topic->next;
    return topic;
}

void broker_init(struct broker *broker) {
    pthread_rwlock_init(&broker->lock, NULL);
    broker->topics = NULL;
    broker->next_id = 1;
}

void broker_destroy(struct broker *broker) {
    while (broker->topics != NULL) {
        struct topic *topic = broker->topics;
        broker->topics = topic->next;
        topic_free(topic);
    }
    pthread_rwlock_destroy(&broker->lock);
}

unsigned broker_subscribe(struct broker *broker, const char *name, listener *notify,
                          void *context) {
    unsigned id = 0;
    pthread_rwlock_wrlock(&broker->lock);
    struct topic *topic = find(broker, name);
    if (topic == NULL && (topic = topic_new(name)) != NULL) {
        topic->next = broker->topics;
        broker->topics = topic;
    }
    if (topic != NULL && topic_add(topic, broker->next_id, notify, context))
        id = broker->next_id++;
    pthread_rwlock_unlock(&broker->lock);
    return id;
}

bool broker_unsubscribe(struct broker *broker, const char *name, unsigned id) {
#ifdef BUG
    pthread_rwlock_rdlock(&broker->lock); /* finding a topic only reads, it seemed */
#else
    pthread_rwlock_wrlock(&broker->lock);
#endif
    struct topic *topic = find(broker, name);
    bool found = topic != NULL && topic_remove(topic, id);
    pthread_rwlock_unlock(&broker->lock);
    return found;
}

unsigned broker_publish(struct broker *broker, const char *name, int value) {
    unsigned heard = 0;
    pthread_rwlock_rdlock(&broker->lock);
    struct topic *topic = find(broker, name);
    if (topic != NULL)
        heard = topic_notify(topic, value);
    pthread_rwlock_unlock(&broker->lock);
    return heard;
}
