/* Wide strings: wchar.h, as far as it is about memory. Copies between blocks that overlap: as in string.c.
 * left out: conversions from and to bytes, wide streams and formats, everything that depends on the locale (UNKNOWN).
 *
 * accesses: visible
 */
#include "apart.h"

typedef __WCHAR_TYPE__ wide;

size_t wcslen(const wide *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t wcsnlen(const wide *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

wide *wmemcpy(wide *to, const wide *from, size_t size) {
    blocks_are_apart(to, from, size * sizeof *to);
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
    return to;
}

wide *wmemmove(wide *to, const wide *from, size_t size) {
    if (to < from) {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
        return to;
    }
    for (size_t i = size; i != 0; i--)
        to[i - 1] = from[i - 1];
    return to;
}

wide *wmemset(wide *to, wide c, size_t size) {
    for (size_t i = 0; i < size; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const wide *a, const wide *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

wide *wmemchr(const wide *s, wide c, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (s[i] == c)
            return (wide *)s + i;
    return NULL;
}

wide *wcscpy(wide *to, const wide *from) {
    size_t i = 0;
    do {
        texts_are_apart(to, from, (i + 1) * sizeof *to);
        to[i] = from[i];
    } while (from[i++]);
    return to;
}

wide *wcsncpy(wide *to, const wide *from, size_t size) {
    size_t i = 0;
    for (; i < size && from[i]; i++) {
        texts_are_apart(to, from, (i + 1) * sizeof *to);
        to[i] = from[i];
    }
    for (; i < size; i++)
        to[i] = 0;
    return to;
}

wide *wcscat(wide *to, const wide *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

wide *wcsncat(wide *to, const wide *from, size_t size) {
    wide *end = to + wcslen(to);
    size_t i = 0;
    for (; i < size && from[i]; i++) {
        texts_are_apart(end, from, (i + 1) * sizeof *to);
        end[i] = from[i];
    }
    end[i] = 0;
    return to;
}

int wcsncmp(const wide *a, const wide *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (!a[i])
            break;
    }
    return 0;
}

int wcscmp(const wide *a, const wide *b) { return wcsncmp(a, b, ~(size_t)0); }

wide *wcschr(const wide *s, wide c) {
    for (; *s != c; s++)
        if (!*s)
            return NULL;
    return (wide *)s;
}

wide *wcsrchr(const wide *s, wide c) {
    const wide *found = NULL;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (!*s)
            return (wide *)found;
    }
}

wide *wcsstr(const wide *s, const wide *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i])
            i++;
        if (!part[i])
            return (wide *)s;
        if (!*s)
            return NULL;
    }
}

void *malloc(size_t size);

wide *wcsdup(const wide *s) {
    size_t size = wcslen(s) + 1;
    wide *copy = malloc(size * sizeof *copy);
    return copy ? wmemcpy(copy, s, size) : NULL;
}
