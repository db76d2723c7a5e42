/* A small web server: workers, a log, settings that a signal makes it read again.
 *
 * repaired: SAFE or BOUNDED
 * bug: a worker looks at the pointer to the settings before it takes the lock
 * finding: memory,races config.c
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "log.h"
#include "options.h"
#include "server.h"

static struct options options;
static struct server server;

/* Waits for signals until one asks the server to end. */
static void handle_signals(const sigset_t *signals) {
    for (;;) {
        int signal;
        if (sigwait(signals, &signal) != 0)
            return;
        if (signal != SIGHUP) {
            log_message("%s, stopping", strsignal(signal));
            return;
        }
        struct config *config = config_read(options.config);
        if (config == NULL) {
            log_message("settings not changed");
            continue;
        }
        config_set(config);
        log_message("settings read again");
    }
}

int main(int argc, char **argv) {
    int status;
    if (!options_parse(&options, argc, argv, &status))
        return status;

    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    struct config *config = config_read(options.config);
    if (config == NULL)
        return EXIT_FAILURE;
    config_set(config);
    if (!log_open(options.log)) {
        fprintf(stderr, "%s: %s\n", options.log, strerror(errno));
        return EXIT_FAILURE;
    }
    int error = server_start(&server, &options);
    if (error != 0) {
        fprintf(stderr, "cannot start: %s\n", strerror(error));
        return EXIT_FAILURE;
    }
    handle_signals(&signals);
    server_stop(&server);
    log_close();
    return EXIT_SUCCESS;
}
