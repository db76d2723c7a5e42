#include "report.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>

void report_init(struct report *report) {
    report->count = 0;
    report->smallest = LONG_MAX;
    report->largest = LONG_MIN;
    report->sum = 0;
}

void report_add(struct report *report, const struct sample *sample) {
    assert(sample->sequence == report->count);
    report->count++;
    if (sample->value < report->smallest)
        report->smallest = sample->value;
    if (sample->value > report->largest)
        report->largest = sample->value;
    report->sum += (double)sample->value;
}

unsigned report_drain(struct report *report, struct ring *ring) {
    struct sample sample;
    unsigned found = 0;
    while (ring_pop(ring, &sample)) {
        report_add(report, &sample);
        found++;
    }
    return found;
}

void report_print(const struct report *report) {
    if (report->count == 0) {
        puts("no samples");
        return;
    }
    printf("%u samples from %ld to %ld, %.1f on average\n", report->count, report->smallest,
           report->largest, report->sum / report->count);
}
