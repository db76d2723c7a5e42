/* A cache with room for a few entries; the one that was not used for the longest time has to go. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>
#include <stdbool.h>

#include "entry.h"

enum { BUCKETS = 4 };

struct cache {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    struct entry *newest, *oldest;
    unsigned count, capacity;
    unsigned long hits, misses;
};

void cache_init(struct cache *cache, unsigned capacity);
void cache_destroy(struct cache *cache);

/* The caller releases what it gets; NULL if there is none. */
struct entry *cache_get(struct cache *cache, unsigned key);

/* Puts a value, in place of one with the same key. */
bool cache_put(struct cache *cache, unsigned key, const char *value);

#endif
