/* Clients that share connections to a time server.
 *
 * repaired: SAFE or BOUNDED
 * bug: the lock is not given back if no connection can be opened
 * finding: deadlocks pool.c
 */
#include <stdio.h>
#include <stdlib.h>

#include "pool.h"

enum { CLIENTS = 2 };

static struct pool pool;

static void *ask(void *argument) {
    char answer[16];
    struct connection *connection = pool_borrow(&pool);
    if (connection == NULL)
        return NULL;
    if (connection_ask(connection, "time\n", answer, sizeof answer))
        printf("client %d: %s\n", *(int *)argument, answer);
    else
        fprintf(stderr, "client %d: no answer\n", *(int *)argument);
    pool_return(&pool, connection);
    return NULL;
}

int main(void) {
    pthread_t clients[CLIENTS];
    int numbers[CLIENTS];
    pool_init(&pool, 1, 13);
    for (int i = 0; i < CLIENTS; i++) {
        numbers[i] = i;
        if (pthread_create(&clients[i], NULL, ask, &numbers[i]) != 0)
            return EXIT_FAILURE;
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pool_destroy(&pool);
    return EXIT_SUCCESS;
}
