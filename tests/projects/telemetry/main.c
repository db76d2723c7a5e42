/* A sensor that measures and a thread that reports, with a ring between them.
 *
 * repaired: SAFE
 * bug: the index is published before the sample is written
 * finding: races,assertions ring.c,report.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

enum { SAMPLES = 3 };

static struct ring ring;
static atomic_bool finished;

/* Stands for a driver; what it measures comes from outside. */
static long measure(void) { return rand() % 1000; }

/* The highest level that the sensor saw, for the choice of the ring's size. */
static unsigned highest_level;

static void *sense(void *argument) {
    (void)argument;
    for (int i = 0; i < SAMPLES; i++) {
        ring_push(&ring, measure());
        unsigned level = ring_level(&ring);
        if (level > highest_level)
            highest_level = level;
    }
    atomic_store(&finished, true);
    return NULL;
}

int main(void) {
    pthread_t sensor;
    struct report report;
    ring_init(&ring);
    report_init(&report);
    if (pthread_create(&sensor, NULL, sense, NULL) != 0)
        return EXIT_FAILURE;
    report_drain(&report, &ring);
    pthread_join(sensor, NULL);
    report_drain(&report, &ring);
    assert(atomic_load(&finished));
    assert(highest_level <= RING_SIZE);
    assert(report.count + ring_lost(&ring) == SAMPLES);
    assert(report.count == 0 || report.smallest <= report.largest);
    report_print(&report);
    printf("%u lost, at most %u waiting\n", ring_lost(&ring), highest_level);
    return EXIT_SUCCESS;
}
