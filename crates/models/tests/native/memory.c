/* memory.c, malloc.c and string_alloc.c against the native functions. */
#include "driver.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

void *model_memcpy(void *, const void *, size_t), *model_mempcpy(void *, const void *, size_t);
void *model_memmove(void *, const void *, size_t), *model_memset(void *, int, size_t);
int model_memcmp(const void *, const void *, size_t);
void *model_memchr(const void *, int, size_t), *model_memrchr(const void *, int, size_t);
void *model_memmem(const void *, size_t, const void *, size_t);
void *model_malloc(size_t), *model_calloc(size_t, size_t), *model_realloc(void *, size_t);
void model_free(void *);
void *model_reallocarray(void *, size_t, size_t);
int model_posix_memalign(void **, size_t, size_t);
char *model_strdup(const char *), *model_strndup(const char *, size_t);
int *model___errno_location(void);

static void check_blocks(void) {
    unsigned char x[96], y[96];
    for (unsigned i = 0; i < sizeof x; i++)
        x[i] = y[i] = (unsigned char)below(3);
    unsigned from = below(40), to = below(40), n = below(40);
    int c = (int)below(4) + 256 * (int)below(2);
    EXPECT(model_memmove(x + to, x + from, n) == x + to, "memmove");
    memmove(y + to, y + from, n);
    EXPECT(memcmp(x, y, sizeof x) == 0, "memmove %u %u %u", to, from, n);
    EXPECT(model_memset(x + to, c, n) == x + to, "memset");
    memset(y + to, c, n);
    EXPECT(memcmp(x, y, sizeof x) == 0, "memset %u %d %u", to, c, n);
    from = 48 + below(8);
    EXPECT(model_memcpy(x + to % 8, x + from, n) == x + to % 8, "memcpy");
    memcpy(y + to % 8, y + from, n);
    EXPECT(memcmp(x, y, sizeof x) == 0, "memcpy %u %u %u", to, from, n);
    EXPECT(model_mempcpy(x, x + from, n) == x + n, "mempcpy");
    mempcpy(y, y + from, n);
    EXPECT(memcmp(x, y, sizeof x) == 0, "mempcpy %u %u", from, n);

    EXPECT(sign(model_memcmp(x, x + from, n)) == sign(memcmp(x, x + from, n)), "memcmp %u", n);
    EXPECT(model_memchr(x, c, n) == memchr(x, c, n), "memchr %d %u", c, n);
    EXPECT(model_memrchr(x, c, n) == memrchr(x, c, n), "memrchr %d %u", c, n);
    unsigned length = below(5);
    EXPECT(model_memmem(x, n, x + from, length) == memmem(x, n, x + from, length), "memmem");
}

static void check_heap(void) {
    unsigned n = 1 + below(40), m = 1 + below(40);
    unsigned char *p = model_malloc(n);
    for (unsigned i = 0; i < n; i++)
        p[i] = (unsigned char)i;
    p = model_realloc(p, m);
    for (unsigned i = 0; i < n && i < m; i++)
        EXPECT(p[i] == i, "realloc %u to %u", n, m);
    EXPECT(model_realloc(p, 0) == 0, "realloc to nothing");
    p = model_calloc(n, m);
    for (unsigned i = 0; i < n * m; i++)
        EXPECT(p[i] == 0, "calloc");
    model_free(p);
    model_free(0);
    p = model_realloc(0, n);
    EXPECT(p != 0, "realloc of null");
    model_free(p);
    char s[12];
    random_string(s, sizeof s);
    char *copy = model_strdup(s), *part = model_strndup(s, n % 6);
    EXPECT(strcmp(copy, s) == 0 && strlen(part) == strnlen(s, n % 6), "strdup '%s'", s);
    EXPECT(strncmp(part, s, strlen(part)) == 0, "strndup '%s'", s);
    model_free(copy);
    model_free(part);
}

int main(void) {
    for (int i = 0; i < 20000; i++) {
        check_blocks();
        check_heap();
    }
    EXPECT(model_calloc(SIZE_MAX / 2, 3) == 0, "calloc of too much");
    EXPECT(*model___errno_location() == ENOMEM, "errno after calloc");
    EXPECT(model_reallocarray(0, SIZE_MAX / 2, 3) == 0, "reallocarray of too much");
    void *p;
    EXPECT(model_posix_memalign(&p, 3, 8) == EINVAL, "odd alignment");
    EXPECT(model_posix_memalign(&p, sizeof(void *), 8) == 0, "alignment of a pointer");
    model_free(p);
    return finish();
}
