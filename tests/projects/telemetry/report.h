/* What is known about the samples that were read. */
#ifndef REPORT_H
#define REPORT_H

#include "ring.h"

struct report {
    unsigned count;
    long smallest, largest;
    double sum;
};

void report_init(struct report *report);
void report_add(struct report *report, const struct sample *sample);

/* Reads all that is in the ring; gives the number of samples. */
unsigned report_drain(struct report *report, struct ring *ring);
void report_print(const struct report *report);

#endif
