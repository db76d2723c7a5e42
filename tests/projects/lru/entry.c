#include "entry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct entry *entry_new(unsigned key, const char *value) {
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->key = key;
    entry->value = strdup(value);
    if (entry->value == NULL) {
        free(entry);
        return NULL;
    }
    atomic_init(&entry->references, 1);
    return entry;
}

void entry_hold(struct entry *entry) { atomic_fetch_add(&entry->references, 1); }

void entry_release(struct entry *entry) {
    int before = atomic_fetch_sub(&entry->references, 1);
    assert(before > 0);
    if (before == 1) {
        free(entry->value);
        free(entry);
    }
}
