/* A program with something to say in every section of `raddle show --stage analysis`. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
    int size;
    struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *queue;
static int done, limit, own;
static atomic_int ready;

static void add(int size) {
    struct job *job = malloc(sizeof *job);
    job->size = size;
    pthread_mutex_lock(&lock);
    job->next = queue;
    queue = job;
    pthread_mutex_unlock(&lock);
}

static void *producer(void *arg) {
    for (int i = 0; i < 3; i++) {
        own += i;
        add(limit);
    }
    ready = 1;
    return arg;
}

static void *consumer(void *arg) {
    while (!ready) {
    }
    pthread_mutex_lock(&lock);
    for (struct job *job = queue; job; job = job->next)
        *(int *)arg += job->size;
    pthread_mutex_unlock(&lock);
    done++;
    return 0;
}

int main(void) {
    pthread_t first, others[2];
    int sums[2] = {0, 0};
    limit = 7;
    pthread_create(&first, 0, producer, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&others[i], 0, consumer, &sums[i]);
    pthread_join(first, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], 0);
    return done;
}
