/* Doubles numbers on a scheduler that steals work.
 *
 * repaired: SAFE
 * bug: the owner takes its last task without a compare-exchange
 * finding: assertions main.c
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "scheduler.h"

enum { TASKS = 2 };

static void twice(struct task *task) {
    int before = atomic_fetch_add(&task->runs, 1);
    assert(before == 0);
    task->output = 2 * task->input;
}

int main(void) {
    static struct scheduler scheduler;
    static struct task tasks[TASKS];
    scheduler_init(&scheduler);
    for (int i = 0; i < TASKS; i++) {
        tasks[i].run = twice;
        tasks[i].input = i;
        if (!scheduler_add(&scheduler, 0, &tasks[i]))
            return EXIT_FAILURE;
    }
    scheduler_run(&scheduler);
    unsigned run = 0;
    for (int i = 0; i < WORKERS; i++) {
        run += scheduler.workers[i].own + scheduler.workers[i].stolen;
        printf("worker %d: %u own, %u stolen\n", i, scheduler.workers[i].own,
               scheduler.workers[i].stolen);
    }
    assert(run == TASKS);
    for (int i = 0; i < TASKS; i++)
        assert(tasks[i].output == 2 * i);
    return EXIT_SUCCESS;
}
