/* Sessions with a timeout: the wheel's thread ends them unless they are closed before.
 *
 * repaired: SAFE
 * bug: a timer is freed while its callback runs
 * finding: memory wheel.c,main.c
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "wheel.h"

struct session {
    struct timer *timeout;
    atomic_bool timed_out;
    unsigned number;
};

static struct wheel wheel;

static void on_timeout(void *argument) {
    struct session *session = argument;
    atomic_store(&session->timed_out, true);
}

static struct session *session_open(unsigned number) {
    struct session *session = malloc(sizeof *session);
    if (session == NULL)
        return NULL;
    session->number = number;
    atomic_init(&session->timed_out, false);
    session->timeout = timer_new(on_timeout, session);
    if (session->timeout == NULL) {
        free(session);
        return NULL;
    }
    timer_start(&wheel, session->timeout, 1);
    return session;
}

static void session_close(struct session *session) {
    bool in_time = timer_stop(&wheel, session->timeout);
    if (in_time)
        assert(!atomic_load(&session->timed_out));
    printf("session %u ends %s\n", session->number, in_time ? "in time" : "late");
    timer_free(session->timeout);
    free(session);
}

static void *tick(void *argument) {
    (void)argument;
    wheel_turn(&wheel);
    return NULL;
}

int main(void) {
    pthread_t ticker;
    wheel_init(&wheel);
    struct session *session = session_open(7);
    if (session == NULL)
        return EXIT_FAILURE;
    pthread_create(&ticker, NULL, tick, NULL);
    session_close(session);
    pthread_join(ticker, NULL);
    wheel_destroy(&wheel);
    return EXIT_SUCCESS;
}
