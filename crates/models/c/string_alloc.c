/* Strings in new memory.
 * left out: nothing; memory may run out as for malloc.
 *
 * accesses: visible
 */
#include "raddle.h"

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t limit);
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);

static char *duplicate(const char *s, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, s, length);
    copy[length] = 0;
    return copy;
}

char *strdup(const char *s) { return duplicate(s, strlen(s)); }
char *__strdup(const char *s) { return duplicate(s, strlen(s)); }
char *strndup(const char *s, size_t limit) { return duplicate(s, strnlen(s, limit)); }
