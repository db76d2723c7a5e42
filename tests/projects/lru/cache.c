#include "cache.h"

#include <string.h>

static struct entry **bucket_of(struct cache *cache, unsigned key) {
    return &cache->buckets[(key * 2654435761u >> 16) % BUCKETS];
}

static void list_remove(struct cache *cache, struct entry *entry) {
    if (entry->newer != NULL)
        entry->newer->older = entry->older;
    else
        cache->newest = entry->older;
    if (entry->older != NULL)
        entry->older->newer = entry->newer;
    else
        cache->oldest = entry->newer;
}

static void list_push(struct cache *cache, struct entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    if (cache->newest != NULL)
        cache->newest->newer = entry;
    else
        cache->oldest = entry;
    cache->newest = entry;
}

/* Takes an entry out of the cache, with the cache's reference. */
static void remove_entry(struct cache *cache, struct entry *entry) {
    struct entry **link = bucket_of(cache, entry->key);
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    list_remove(cache, entry);
    cache->count--;
    entry_release(entry);
}

static struct entry *find(struct cache *cache, unsigned key) {
    struct entry *entry = *bucket_of(cache, key);
    while (entry != NULL && entry->key != key)
        entry = entry->chain;
    return entry;
}

void cache_init(struct cache *cache, unsigned capacity) {
    memset(cache, 0, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
    cache->capacity = capacity;
}

void cache_destroy(struct cache *cache) {
    while (cache->oldest != NULL)
        remove_entry(cache, cache->oldest);
    pthread_mutex_destroy(&cache->lock);
}

struct entry *cache_get(struct cache *cache, unsigned key) {
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, key);
    if (entry != NULL) {
        cache->hits++;
        list_remove(cache, entry);
        list_push(cache, entry);
#ifndef BUG
        entry_hold(entry);
#endif
    } else {
        cache->misses++;
    }
    pthread_mutex_unlock(&cache->lock);
#ifdef BUG
    /* Too late: the entry may be gone by now. */
    if (entry != NULL)
        entry_hold(entry);
#endif
    return entry;
}

bool cache_put(struct cache *cache, unsigned key, const char *value) {
    struct entry *entry = entry_new(key, value);
    if (entry == NULL)
        return false;
    pthread_mutex_lock(&cache->lock);
    struct entry *before = find(cache, key);
    if (before != NULL)
        remove_entry(cache, before);
    else if (cache->count == cache->capacity)
        remove_entry(cache, cache->oldest);
    struct entry **bucket = bucket_of(cache, key);
    entry->chain = *bucket;
    *bucket = entry;
    list_push(cache, entry);
    cache->count++;
    pthread_mutex_unlock(&cache->lock);
    return true;
}
