#include "config.h"

#include <stdlib.h>
#include <string.h>

static struct config *config_new(unsigned version, const char *name, unsigned workers) {
    struct config *config = malloc(sizeof *config);
    if (config == NULL)
        return NULL;
    config->version = version;
    config->workers = workers;
    config->timeout = 10 * workers;
    config->name = strdup(name);
    if (config->name == NULL) {
        free(config);
        return NULL;
    }
    return config;
}

static void config_free(struct config *config) {
    free(config->name);
    free(config);
}

bool store_init(struct store *store, const char *name, unsigned workers) {
    struct config *first = config_new(1, name, workers);
    if (first == NULL)
        return false;
    epoch_init(&store->epoch);
    atomic_init(&store->current, first);
    pthread_mutex_init(&store->writers, NULL);
    return true;
}

void store_destroy(struct store *store) {
    config_free(atomic_load(&store->current));
    pthread_mutex_destroy(&store->writers);
}

const struct config *config_read(struct store *store, unsigned reader) {
#ifdef BUG
    /* The writer may look at the epochs between these two lines. */
    const struct config *config = atomic_load(&store->current);
    epoch_enter(&store->epoch, reader);
    return config;
#else
    epoch_enter(&store->epoch, reader);
    return atomic_load(&store->current);
#endif
}

void config_done(struct store *store, unsigned reader) { epoch_leave(&store->epoch, reader); }

bool config_update(struct store *store, const char *name, unsigned workers) {
    pthread_mutex_lock(&store->writers);
    struct config *old = atomic_load(&store->current);
    struct config *next = config_new(old->version + 1, name, workers);
    if (next == NULL) {
        pthread_mutex_unlock(&store->writers);
        return false;
    }
    atomic_store(&store->current, next);
    epoch_synchronize(&store->epoch);
    config_free(old);
    pthread_mutex_unlock(&store->writers);
    return true;
}
