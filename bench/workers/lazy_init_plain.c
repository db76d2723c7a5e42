// expect: UNSAFE races
// family: locks and initialisation
// Double-checked locking with a plain pointer: the first check races with the assignment.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct settings {
    int verbosity;
    int colours;
};

static struct settings *settings;
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines[WORKERS];

static struct settings *read_settings(void) {
    struct settings *s = malloc(sizeof *s);
    s->verbosity = 1;
    s->colours = 0;
    return s;
}

static const struct settings *get_settings(void) {
    if (!settings) { //~ races
        pthread_mutex_lock(&settings_lock);
        if (!settings)
            settings = read_settings(); //~ races
        pthread_mutex_unlock(&settings_lock);
    }
    return settings;
}

static void *worker(void *arg) {
    int *count = arg;
    const struct settings *s = get_settings();
    if (s->verbosity > 0 && !s->colours)
        ++*count;
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, &lines[i]);
    assert(get_settings()->verbosity == 1);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        assert(lines[i] == 1);
    }
    free(settings);
    return 0;
}
