/* qsort and bsearch, and lfind of search.h.
 *
 * The standard does not say in which order qsort compares, nor in which order equal elements
 * come out. Here it is an insertion sort, which keeps them in order (as the usual
 * glibc does). Swaps go byte by byte.
 * left out: other orders of comparisons than that of this algorithm, and of equal elements.
 *
 * accesses: visible
 */
#include "raddle.h"

static void swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

#define SORT(base, count, size, in_order)                                                          \
    char *elements = base;                                                                         \
    for (size_t i = 1; i < count; i++)                                                             \
        for (size_t j = i; j > 0; j--) {                                                           \
            char *here = elements + j * size;                                                      \
            if (in_order)                                                                          \
                break;                                                                             \
            swap(here - size, here, size);                                                         \
        }

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    SORT(base, count, size, compare(here - size, here) <= 0)
}

/* For functions of comparison that take something more. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *more) {
    SORT(base, count, size, compare(here - size, here, more) <= 0)
}

/* search.h: one after the other. */
void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *count; i++)
        if (compare(key, (const char *)base + i * size) == 0)
            return (char *)base + i * size;
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*compare)(const void *, const void *)) {
    char *found = lfind(key, base, count, size, compare);
    if (found)
        return found;
    char *behind = (char *)base + *count * size;
    for (size_t i = 0; i < size; i++)
        behind[i] = ((const char *)key)[i];
    ++*count;
    return behind;
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
