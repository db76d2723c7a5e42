/* Entries of the cache: a key, a value, and who still holds it. */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdatomic.h>

struct entry {
    unsigned key;
    char *value;
    atomic_int references; /* the cache holds one, each reader one */
    struct entry *chain;   /* the next one in its bucket */
    struct entry *newer, *older;
};

struct entry *entry_new(unsigned key, const char *value);
void entry_hold(struct entry *entry);

/* The last one frees it. */
void entry_release(struct entry *entry);

#endif
