/* Strings: the str* functions of string.h and strings.h, in the "C" locale.
 *
 * Accesses are those of the caller, byte by byte and never past the end that the standard gives.
 * Copies between texts that overlap are undefined: "memory" reports them (apart.h); else bytes are copied upwards.
 * left out: locales other than "C".
 *
 * accesses: visible
 */
#include "apart.h"

typedef unsigned char byte;

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

size_t strlen(const char *s) {
    size_t length = 0;
    while (s[length])
        length++;
    return length;
}

size_t strnlen(const char *s, size_t limit) {
    size_t length = 0;
    while (length < limit && s[length])
        length++;
    return length;
}

/* Asked at each byte: a copy that overwrites the end of its text would have none. */
char *stpcpy(char *to, const char *from) {
    for (size_t i = 0;; i++) {
        texts_are_apart(to, from, i + 1);
        if (!(to[i] = from[i]))
            return to + i;
    }
}

char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, size_t size) {
    size_t i = 0, end;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    for (end = i; i < size; i++)
        to[i] = 0;
    if (__raddle_checking(MEMORY))
        __raddle_check(MEMORY, are_apart(to, size, from, end < size ? end + 1 : end),
                       "the text that is copied overlaps with the place that it is copied to");
    return to + end;
}

char *strncpy(char *to, const char *from, size_t size) {
    stpncpy(to, from, size);
    return to;
}

char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t size) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < size && from[i]; i++) {
        texts_are_apart(end, from, i + 1);
        end[i] = from[i];
    }
    end[i] = 0;
    return to;
}

int strncmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int x = (byte)a[i], y = (byte)b[i];
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncasecmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int x = lower((byte)a[i]), y = lower((byte)b[i]);
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, ~(size_t)0); }

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c) {
    char *found = strchrnul(s, c);
    return *found == (char)c ? found : NULL;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        char here = *s;
        if (here == (char)c)
            last = s;
        if (!here)
            return (char *)last;
    }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

char *strstr(const char *s, const char *needle) {
    size_t length = strlen(needle);
    for (;; s++) {
        if (strncmp(s, needle, length) == 0)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

size_t strspn(const char *s, const char *accepted) {
    size_t length = 0;
    while (s[length] && strchr(accepted, s[length]))
        length++;
    return length;
}

size_t strcspn(const char *s, const char *rejected) {
    size_t length = 0;
    while (s[length] && !strchr(rejected, s[length]))
        length++;
    return length;
}

char *strpbrk(const char *s, const char *accepted) {
    s += strcspn(s, accepted);
    return *s ? (char *)s : NULL;
}

char *strtok_r(char *s, const char *separators, char **rest) {
    if (!s)
        s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, separators);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

/* The variable is the library's, but calls from two threads do race. */
char *strtok(char *s, const char *separators) {
    static char *the_state_of_strtok;
    return strtok_r(s, separators, &the_state_of_strtok);
}

char *strsep(char **string, const char *separators) {
    char *s = *string;
    if (!s)
        return NULL;
    char *end = s + strcspn(s, separators);
    *string = NULL;
    if (*end) {
        *end = 0;
        *string = end + 1;
    }
    return s;
}

void *memccpy(void *to, const void *from, int stop, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < size; i++) {
        texts_are_apart(to, from, i + 1);
        t[i] = f[i];
        if (f[i] == (unsigned char)stop)
            return t + i + 1;
    }
    return NULL;
}

/* libgen.h has another one, which changes its argument. */
char *basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

char *strcasestr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && small(s[i]) == small(part[i]))
            i++;
        if (!part[i])
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

void *rawmemchr(const void *block, int value) {
    const byte *at = block;
    while (*at != (byte)value)
        at++;
    return (void *)at;
}

/* Length of the text that was to be made; it is cut to the size. */
size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = 0;
    for (; from[length]; length++) {
        if (length + 1 < size) {
            texts_are_apart(to, from, length + 1);
            to[length] = from[length];
        }
    }
    if (size != 0)
        to[length < size ? length : size - 1] = 0;
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    return length + strlcpy(to + length, from, size - length);
}

/* In the "C" locale texts are compared as they are. */
size_t strxfrm(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    for (size_t i = 0; i < size && i <= length; i++)
        to[i] = from[i];
    return length;
}

void swab(const void *from, void *to, ssize_t size) {
    const byte *f = from;
    byte *t = to;
    for (ssize_t i = 0; i + 1 < size; i += 2) {
        byte first = f[i];
        t[i] = f[i + 1];
        t[i + 1] = first;
    }
}
