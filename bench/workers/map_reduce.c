// expect: SAFE
// family: fork and join
// Map and reduce with a thread for each slice: mappers return tables on the heap through join, main
// adds them up. Nothing is locked, since nothing is shared at the same time.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define SLICE 4
#define LETTERS 3

struct task {
    const char *text;
    int length;
};

struct table {
    int count[LETTERS];
};

static char text[WORKERS * SLICE];

static void *map(void *arg) {
    struct task *task = arg;
    struct table *result = calloc(1, sizeof *result);
    for (int i = 0; i < task->length; i++)
        result->count[task->text[i] - 'a']++;
    free(task);
    return result;
}

static void reduce(struct table *into, struct table *from) {
    for (int i = 0; i < LETTERS; i++)
        into->count[i] += from->count[i];
    free(from);
}

int main(void) {
    pthread_t mappers[WORKERS];
    struct table total = {{0}};
    for (int i = 0; i < WORKERS * SLICE; i++)
        text[i] = (char)('a' + i % LETTERS);
    for (int i = 0; i < WORKERS; i++) {
        struct task *task = malloc(sizeof *task);
        task->text = text + i * SLICE;
        task->length = SLICE;
        pthread_create(&mappers[i], 0, map, task);
    }
    for (int i = 0; i < WORKERS; i++) {
        void *part;
        pthread_join(mappers[i], &part);
        reduce(&total, part);
    }
    for (int i = 0; i < LETTERS; i++)
        assert(total.count[i] == (WORKERS * SLICE - i + LETTERS - 1) / LETTERS);
    return 0;
}
