/* A server whose threads read the configuration while an operator replaces it.
 *
 * repaired: SAFE
 * bug: a reader loads the pointer before it says that it reads
 * finding: memory main.c
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

enum { SERVERS = 2 };

static struct store store;

static void *serve(void *argument) {
    unsigned reader = epoch_register(&store.epoch);
    (void)argument;
    const struct config *config = config_read(&store, reader);
    assert(config->timeout == 10 * config->workers);
    printf("%s, version %u: %u workers\n", config->name, config->version, config->workers);
    config_done(&store, reader);
    return NULL;
}

int main(void) {
    pthread_t servers[SERVERS];
    if (!store_init(&store, "main", 2))
        return EXIT_FAILURE;
    for (int i = 0; i < SERVERS; i++)
        if (pthread_create(&servers[i], NULL, serve, NULL) != 0)
            return EXIT_FAILURE;
    if (!config_update(&store, "more", 4))
        fputs("no memory for the new configuration\n", stderr);
    for (int i = 0; i < SERVERS; i++)
        pthread_join(servers[i], NULL);
    store_destroy(&store);
    return EXIT_SUCCESS;
}
