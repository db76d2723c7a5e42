/* A download manager; the user changes his mind about the first download.
 *
 * repaired: SAFE or BOUNDED
 * bug: a download that is cancelled while it waits keeps the manager's lock
 * finding: deadlocks,locks download.c,manager.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "manager.h"

static struct manager manager;

int main(void) {
    manager_init(&manager, 4);
    struct download *downloads[2];
    for (int i = 0; i < 2; i++) {
        int source = socket(AF_INET, SOCK_STREAM, 0);
        if (source < 0) {
            perror("socket");
            return EXIT_FAILURE;
        }
        downloads[i] = manager_add(&manager, source, i == 0 ? "first" : "second");
        if (downloads[i] == NULL)
            return EXIT_FAILURE;
    }
    manager_cancel(downloads[0]);
    manager_destroy(&manager);
    printf("%u finished, %u failed\n", manager.finished, manager.failed);
    return EXIT_SUCCESS;
}
