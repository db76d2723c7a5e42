// expect: SAFE
// family: services
// A logger thread with two buffers: threads append to the front one; the logger swaps them and writes
// the other without the lock. It drains what is left before it ends.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define LINE 4

struct buffer {
    char lines[WORKERS][LINE];
    int used;
};

static struct buffer buffers[2];
static struct buffer *front = &buffers[0], *back = &buffers[1];
static bool closing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something = PTHREAD_COND_INITIALIZER;
static int written[WORKERS]; // the "file": the logger's alone

static void log_line(char who) {
    char line[LINE] = {'<', who, '>', 0};
    pthread_mutex_lock(&mutex);
    assert(front->used < WORKERS);
    memcpy(front->lines[front->used++], line, LINE);
    pthread_cond_signal(&something);
    pthread_mutex_unlock(&mutex);
}

static void write_out(struct buffer *b) {
    for (int i = 0; i < b->used; i++) {
        assert(b->lines[i][0] == '<' && b->lines[i][2] == '>');
        written[b->lines[i][1] - '0']++;
    }
    b->used = 0;
}

static void *logger(void *arg) {
    (void)arg;
    bool last = false;
    while (!last) {
        pthread_mutex_lock(&mutex);
        while (front->used == 0 && !closing)
            pthread_cond_wait(&something, &mutex);
        last = closing;
        struct buffer *full = front;
        front = back;
        back = full;
        pthread_mutex_unlock(&mutex);
        write_out(full);
    }
    return 0;
}

static void *worker(void *arg) {
    log_line((char)('0' + (long)arg));
    return 0;
}

int main(void) {
    pthread_t scribe, threads[WORKERS];
    pthread_create(&scribe, 0, logger, 0);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    pthread_mutex_lock(&mutex);
    closing = true;
    pthread_cond_signal(&something);
    pthread_mutex_unlock(&mutex);
    pthread_join(scribe, 0);
    for (int i = 0; i < WORKERS; i++)
        assert(written[i] == 1);
    return 0;
}
