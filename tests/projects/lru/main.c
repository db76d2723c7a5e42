/* A cache server: clients look keys up while others store new ones.
 *
 * repaired: SAFE
 * bug: a reader takes its reference after it has given the lock back
 * finding: memory entry.c
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"

static struct cache cache;

static void *look_up(void *argument) {
    unsigned key = (unsigned)(size_t)argument;
    struct entry *entry = cache_get(&cache, key);
    if (entry != NULL) {
        assert(entry->key == key);
        printf("%u is %s\n", key, entry->value);
        entry_release(entry);
    }
    return NULL;
}

static void *store(void *argument) {
    unsigned key = (unsigned)(size_t)argument;
    if (!cache_put(&cache, key, "new"))
        fputs("no memory\n", stderr);
    return NULL;
}

int main(void) {
    pthread_t reader, writer;
    cache_init(&cache, 1);
    if (!cache_put(&cache, 1, "one"))
        return EXIT_FAILURE;
    pthread_create(&reader, NULL, look_up, (void *)1);
    pthread_create(&writer, NULL, store, (void *)2);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    assert(cache.count == 1 && cache.newest == cache.oldest);
    assert(cache.hits + cache.misses == 1);
    cache_destroy(&cache);
    return EXIT_SUCCESS;
}
