#include "wheel.h"

#include <assert.h>
#include <stdlib.h>

static void insert(struct wheel *wheel, struct timer *timer) {
    struct timer **slot = &wheel->slots[timer->slot];
    timer->next = *slot;
    timer->link = slot;
    if (*slot != NULL)
        (*slot)->link = &timer->next;
    *slot = timer;
}

static void unlink_timer(struct timer *timer) {
    *timer->link = timer->next;
    if (timer->next != NULL)
        timer->next->link = timer->link;
    timer->next = NULL;
    timer->link = NULL;
}

void wheel_init(struct wheel *wheel) {
    pthread_mutex_init(&wheel->lock, NULL);
    pthread_cond_init(&wheel->finished, NULL);
    for (int i = 0; i < WHEEL_SLOTS; i++)
        wheel->slots[i] = NULL;
    wheel->now = 0;
    wheel->running = NULL;
}

void wheel_destroy(struct wheel *wheel) {
    for (int i = 0; i < WHEEL_SLOTS; i++)
        assert(wheel->slots[i] == NULL);
    pthread_cond_destroy(&wheel->finished);
    pthread_mutex_destroy(&wheel->lock);
}

/* A timer in the current slot whose time has come; the others have one round less. */
static struct timer *next_due(struct wheel *wheel) {
    for (struct timer *timer = wheel->slots[wheel->now]; timer != NULL; timer = timer->next)
        if (timer->rounds == 0)
            return timer;
    return NULL;
}

static void count_down(struct wheel *wheel) {
    for (struct timer *timer = wheel->slots[wheel->now]; timer != NULL; timer = timer->next)
        timer->rounds--;
}

void wheel_turn(struct wheel *wheel) {
    struct timer *timer;
    pthread_mutex_lock(&wheel->lock);
    wheel->now = (wheel->now + 1) % WHEEL_SLOTS;
    while ((timer = next_due(wheel)) != NULL) {
        unlink_timer(timer);
        timer->state = TIMER_RUNNING;
        wheel->running = timer;
        pthread_mutex_unlock(&wheel->lock);
        timer->run(timer->argument);
        pthread_mutex_lock(&wheel->lock);
        wheel->running = NULL;
        if (timer->state == TIMER_RUNNING)
            timer->state = TIMER_IDLE;
        pthread_cond_broadcast(&wheel->finished);
    }
    count_down(wheel);
    pthread_mutex_unlock(&wheel->lock);
}

struct timer *timer_new(timer_function *run, void *argument) {
    struct timer *timer = calloc(1, sizeof *timer);
    if (timer != NULL) {
        timer->run = run;
        timer->argument = argument;
    }
    return timer;
}

void timer_start(struct wheel *wheel, struct timer *timer, unsigned ticks) {
    assert(ticks > 0);
    pthread_mutex_lock(&wheel->lock);
    if (timer->state == TIMER_PENDING)
        unlink_timer(timer);
    timer->slot = (wheel->now + ticks) % WHEEL_SLOTS;
    timer->rounds = (ticks - 1) / WHEEL_SLOTS;
    timer->state = TIMER_PENDING;
    insert(wheel, timer);
    pthread_mutex_unlock(&wheel->lock);
}

bool timer_stop(struct wheel *wheel, struct timer *timer) {
    pthread_mutex_lock(&wheel->lock);
    bool was_pending = timer->state == TIMER_PENDING;
    if (was_pending) {
        unlink_timer(timer);
        timer->state = TIMER_IDLE;
    }
#ifndef BUG
    /* Whoever stops a timer may free it: the callback has to be over. */
    while (wheel->running == timer)
        pthread_cond_wait(&wheel->finished, &wheel->lock);
#endif
    pthread_mutex_unlock(&wheel->lock);
    return was_pending;
}

void timer_free(struct timer *timer) { free(timer); }
