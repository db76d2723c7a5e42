// expect: SAFE
// family: shared objects
// A cache behind a readers-writer lock: look up under the read lock; if it is missing, take the write
// lock and look again before computing. Each value is computed once.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define KEYS 2

struct entry {
    bool valid;
    int value;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry cache[KEYS];
static int computed[KEYS];

static int compute(int key) {
    computed[key]++;
    return 7 * key + 1;
}

static bool lookup(int key, int *value) {
    pthread_rwlock_rdlock(&lock);
    bool hit = cache[key].valid;
    if (hit)
        *value = cache[key].value;
    pthread_rwlock_unlock(&lock);
    return hit;
}

static int get(int key) {
    int value;
    if (lookup(key, &value))
        return value;
    pthread_rwlock_wrlock(&lock);
    if (!cache[key].valid) {
        cache[key].value = compute(key);
        cache[key].valid = true;
    }
    value = cache[key].value;
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *client(void *arg) {
    int key = (int)(long)arg % KEYS;
    assert(get(key) == 7 * key + 1);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, client, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < KEYS; i++)
        assert(computed[i] == (i < WORKERS));
    pthread_rwlock_destroy(&lock);
    return 0;
}
