// A thread pool: linked job queue, a mutex, a binary semaphore made of mutex and condition
// variable, behind pointers.
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    int is_open;
} gate;

typedef struct task {
    struct task *next;
    void (*run)(void *);
    void *with;
} task;

typedef struct inbox {
    pthread_mutex_t lock;
    task *first, *last;
    gate *work_left;
    int length;
} inbox;

typedef struct crew {
    pthread_t *threads;
    int present, busy, open;
    pthread_mutex_t state;
    pthread_cond_t all_idle;
    inbox tasks;
} crew;

static void gate_init(gate *b, int is_open) {
    pthread_mutex_init(&b->mutex, 0);
    pthread_cond_init(&b->cond, 0);
    b->is_open = is_open;
}

static void gate_open(gate *b) {
    pthread_mutex_lock(&b->mutex);
    b->is_open = 1;
    pthread_cond_signal(&b->cond);
    pthread_mutex_unlock(&b->mutex);
}

static void gate_open_for_all(gate *b) {
    pthread_mutex_lock(&b->mutex);
    b->is_open = 1;
    pthread_cond_broadcast(&b->cond);
    pthread_mutex_unlock(&b->mutex);
}

static void gate_pass(gate *b) {
    pthread_mutex_lock(&b->mutex);
    while (b->is_open != 1)
        pthread_cond_wait(&b->cond, &b->mutex);
    b->is_open = 0;
    pthread_mutex_unlock(&b->mutex);
}

static void put(inbox *q, task *j) {
    pthread_mutex_lock(&q->lock);
    j->next = 0;
    if (q->length == 0) {
        q->first = j;
        q->last = j;
    } else {
        q->last->next = j;
        q->last = j;
    }
    q->length++;
    gate_open(q->work_left);
    pthread_mutex_unlock(&q->lock);
}

static task *take(inbox *q) {
    pthread_mutex_lock(&q->lock);
    task *j = q->first;
    if (q->length == 1) {
        q->first = 0;
        q->last = 0;
        q->length = 0;
    } else if (q->length > 1) {
        q->first = j->next;
        q->length--;
        gate_open(q->work_left);
    }
    pthread_mutex_unlock(&q->lock);
    return j;
}

static void *worker(void *a) {
    crew *p = a;
    pthread_mutex_lock(&p->state);
    p->present++;
    pthread_mutex_unlock(&p->state);
    for (;;) {
        gate_pass(p->tasks.work_left);
        pthread_mutex_lock(&p->state);
        int on = p->open;
        pthread_mutex_unlock(&p->state);
        if (!on)
            break;
        pthread_mutex_lock(&p->state);
        p->busy++;
        pthread_mutex_unlock(&p->state);
        task *j = take(&p->tasks);
        if (j) {
            j->run(j->with);
            free(j);
        }
        pthread_mutex_lock(&p->state);
        p->busy--;
        if (!p->busy)
            pthread_cond_signal(&p->all_idle);
        pthread_mutex_unlock(&p->state);
    }
    gate_open_for_all(p->tasks.work_left);
    pthread_mutex_lock(&p->state);
    p->present--;
    pthread_mutex_unlock(&p->state);
    return 0;
}

static int done;
static pthread_mutex_t dm = PTHREAD_MUTEX_INITIALIZER;

static void count_one(void *a) {
    pthread_mutex_lock(&dm);
    done++;
    pthread_mutex_unlock(&dm);
}

int main(void) {
    crew *p = malloc(sizeof *p);
    p->present = p->busy = 0;
    p->open = 1;
    pthread_mutex_init(&p->state, 0);
    pthread_cond_init(&p->all_idle, 0);
    inbox *q = &p->tasks;
    pthread_mutex_init(&q->lock, 0);
    q->first = q->last = 0;
    q->length = 0;
    q->work_left = malloc(sizeof(gate));
    gate_init(q->work_left, 0);
    p->threads = malloc(WORKERS * sizeof(pthread_t));
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&p->threads[i], 0, worker, p);
    for (int i = 0; i < JOBS; i++) {
        task *j = malloc(sizeof *j);
        j->run = count_one;
        j->with = 0;
        put(q, j);
    }
    pthread_mutex_lock(&p->state);
    p->open = 0;
    pthread_mutex_unlock(&p->state);
    gate_open_for_all(q->work_left);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->threads[i], 0);
    while (q->length)
        free(take(q));
    free(q->work_left);
    free(p->threads);
    free(p);
    return 0;
}
