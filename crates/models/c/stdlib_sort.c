/* qsort and bsearch.
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

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *elements = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            char *here = elements + j * size;
            if (compare(here - size, here) <= 0)
                break;
            swap(here - size, here, size);
        }
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
