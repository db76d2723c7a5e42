#include "words.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STRIPES = 4, BUCKETS = 64 };

static struct word *buckets[BUCKETS];
static pthread_rwlock_t locks[STRIPES];
static atomic_size_t distinct;

void words_init(void) {
    for (int i = 0; i < STRIPES; i++)
        pthread_rwlock_init(&locks[i], NULL);
}

void words_free(void) {
    for (int i = 0; i < BUCKETS; i++)
        while (buckets[i] != NULL) {
            struct word *word = buckets[i];
            buckets[i] = word->next;
            free(word);
        }
    for (int i = 0; i < STRIPES; i++)
        pthread_rwlock_destroy(&locks[i]);
}

static uint32_t hash(const char *text, size_t length) {
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 16777619u;
    return value;
}

static struct word *find(struct word *word, const char *text, size_t length) {
    while (word != NULL && (strncmp(word->text, text, length) != 0 || word->text[length] != '\0'))
        word = word->next;
    return word;
}

int words_add(const char *text, size_t length) {
    unsigned bucket = hash(text, length) % BUCKETS;
    pthread_rwlock_t *lock = &locks[bucket % STRIPES];
    int error = 0;
    pthread_rwlock_wrlock(lock);
    struct word *word = find(buckets[bucket], text, length);
    if (word == NULL) {
        word = malloc(sizeof *word + length + 1);
        if (word != NULL) {
            memcpy(word->text, text, length);
            word->text[length] = '\0';
            word->count = 0;
            word->next = buckets[bucket];
            buckets[bucket] = word;
            atomic_fetch_add_explicit(&distinct, 1, memory_order_relaxed);
        } else {
            error = ENOMEM;
        }
    }
    if (word != NULL)
        word->count++;
    pthread_rwlock_unlock(lock);
    return error;
}

size_t words_distinct(void) { return atomic_load(&distinct); }

static int more_often(const void *a, const void *b) {
    const struct word *first = *(struct word *const *)a;
    const struct word *second = *(struct word *const *)b;
    if (first->count != second->count)
        return first->count < second->count ? 1 : -1;
    return strcmp(first->text, second->text);
}

int words_print(FILE *stream, size_t most) {
    size_t count = words_distinct();
    struct word **all = malloc(count * sizeof *all);
    if (all == NULL && count > 0)
        return ENOMEM;
    size_t used = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct word *word = buckets[i]; word != NULL; word = word->next)
            all[used++] = word;
    qsort(all, used, sizeof *all, more_often);
    for (size_t i = 0; i < used && i < most; i++)
        fprintf(stream, "%8lu %s\n", all[i]->count, all[i]->text);
    free(all);
    return 0;
}
