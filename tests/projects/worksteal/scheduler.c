#include "scheduler.h"

#include <sched.h>
#include <stddef.h>

void scheduler_init(struct scheduler *scheduler) {
    atomic_init(&scheduler->left, 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        struct worker *worker = &scheduler->workers[i];
        worker->scheduler = scheduler;
        worker->number = i;
        worker->own = worker->stolen = 0;
        deque_init(&worker->deque);
    }
}

bool scheduler_add(struct scheduler *scheduler, unsigned worker, struct task *task) {
    if (!deque_push(&scheduler->workers[worker].deque, task))
        return false;
    atomic_fetch_add(&scheduler->left, 1);
    return true;
}

static struct task *steal(struct worker *thief) {
    for (unsigned i = 1; i < WORKERS; i++) {
        unsigned victim = (thief->number + i) % WORKERS;
        struct task *task = deque_steal(&thief->scheduler->workers[victim].deque);
        if (task != NULL)
            return task;
    }
    return NULL;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    while (atomic_load(&worker->scheduler->left) > 0) {
        struct task *task = deque_take(&worker->deque);
        if (task != NULL) {
            worker->own++;
        } else if ((task = steal(worker)) != NULL) {
            worker->stolen++;
        } else {
            sched_yield();
            continue;
        }
        task->run(task);
        atomic_fetch_sub(&worker->scheduler->left, 1);
    }
    return NULL;
}

void scheduler_run(struct scheduler *scheduler) {
    for (unsigned i = 1; i < WORKERS; i++) {
        struct worker *worker = &scheduler->workers[i];
        pthread_create(&worker->thread, NULL, work, worker);
    }
    work(&scheduler->workers[0]);
    for (unsigned i = 1; i < WORKERS; i++)
        pthread_join(scheduler->workers[i].thread, NULL);
}
