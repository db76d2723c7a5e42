/* The configuration of a server: read by all threads all the time, replaced now and then.
 *
 * Readers see one version from config_read to config_done, whatever writers do. */
#ifndef CONFIG_H
#define CONFIG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "epoch.h"

struct config {
    unsigned version;
    unsigned workers;
    unsigned timeout; /* ten times the workers, in every version */
    char *name;
};

struct store {
    struct epoch epoch;
    _Atomic(struct config *) current;
    pthread_mutex_t writers;
};

bool store_init(struct store *store, const char *name, unsigned workers);
void store_destroy(struct store *store);

const struct config *config_read(struct store *store, unsigned reader);
void config_done(struct store *store, unsigned reader);

/* Replaces the configuration; the old one is freed when nobody uses it. */
bool config_update(struct store *store, const char *name, unsigned workers);

#endif
