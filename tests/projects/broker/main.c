/* Weather for two listeners, one of which loses interest.
 *
 * repaired: SAFE
 * bug: a subscription is removed under the lock for reading
 * finding: races,memory topic.c
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "broker.h"

struct display {
    const char *where;
    atomic_int shown;
};

static struct broker broker;
static struct display kitchen = {.where = "kitchen"}, hall = {.where = "hall"};

static void show(void *context, const char *topic, int value) {
    struct display *display = context;
    printf("%s: %s is %d\n", display->where, topic, value);
    atomic_fetch_add(&display->shown, 1);
}

static void *station(void *argument) {
    (void)argument;
    unsigned heard = broker_publish(&broker, "rain", 12);
    assert(heard >= 1 && heard <= 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    broker_init(&broker);
    unsigned in_kitchen = broker_subscribe(&broker, "rain", show, &kitchen);
    unsigned in_hall = broker_subscribe(&broker, "rain", show, &hall);
    if (in_kitchen == 0 || in_hall == 0)
        return EXIT_FAILURE;
    pthread_create(&thread, NULL, station, NULL);
    bool found = broker_unsubscribe(&broker, "rain", in_kitchen);
    assert(found);
    pthread_join(thread, NULL);
    assert(atomic_load(&hall.shown) == 1 && atomic_load(&kitchen.shown) <= 1);
    broker_destroy(&broker);
    return EXIT_SUCCESS;
}
