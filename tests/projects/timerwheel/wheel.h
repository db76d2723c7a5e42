/* A timer wheel: callbacks that run after some ticks, unless they are cancelled.
 *
 * A thread turns the wheel. Callbacks run in that thread without the wheel's lock, so that they may
 * start and cancel timers themselves. */
#ifndef WHEEL_H
#define WHEEL_H

#include <pthread.h>
#include <stdbool.h>

enum { WHEEL_SLOTS = 4 };

typedef void timer_function(void *argument);

enum timer_state { TIMER_IDLE, TIMER_PENDING, TIMER_RUNNING };

struct timer {
    timer_function *run;
    void *argument;
    enum timer_state state;
    unsigned slot;
    unsigned rounds; /* full turns of the wheel until it runs */
    struct timer *next, **link;
};

struct wheel {
    pthread_mutex_t lock;
    pthread_cond_t finished; /* a callback has ended */
    struct timer *slots[WHEEL_SLOTS];
    unsigned now;
    struct timer *running;
};

void wheel_init(struct wheel *wheel);
void wheel_destroy(struct wheel *wheel);

/* One tick: runs what is due. */
void wheel_turn(struct wheel *wheel);

struct timer *timer_new(timer_function *run, void *argument);
void timer_start(struct wheel *wheel, struct timer *timer, unsigned ticks);

/* After it the callback does not run, and is not running. True if it was pending. */
bool timer_stop(struct wheel *wheel, struct timer *timer);
void timer_free(struct timer *timer);

#endif
