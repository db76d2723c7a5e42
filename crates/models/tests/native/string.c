/* string.c against the native str* functions. */
#include "driver.h"
#include <string.h>
#include <strings.h>

size_t model_strlen(const char *), model_strnlen(const char *, size_t);
char *model_strcpy(char *, const char *), *model_strncpy(char *, const char *, size_t);
char *model_stpcpy(char *, const char *), *model_stpncpy(char *, const char *, size_t);
char *model_strcat(char *, const char *), *model_strncat(char *, const char *, size_t);
int model_strcmp(const char *, const char *), model_strncmp(const char *, const char *, size_t);
int model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
char *model_strchr(const char *, int), *model_strrchr(const char *, int);
char *model_strchrnul(const char *, int), *model_strstr(const char *, const char *);
size_t model_strspn(const char *, const char *), model_strcspn(const char *, const char *);
char *model_strpbrk(const char *, const char *), *model_strtok(char *, const char *);
char *model_strtok_r(char *, const char *, char **), *model_strsep(char **, const char *);
int model_strcoll(const char *, const char *);
char *model_index(const char *, int), *model_rindex(const char *, int);
char *model_basename(const char *), *model_strcasestr(const char *, const char *);
size_t model_strxfrm(char *, const char *, size_t);
void *model_rawmemchr(const void *, int);
void model_swab(const void *, void *, ssize_t);
size_t model_strlcpy(char *, const char *, size_t), model_strlcat(char *, const char *, size_t);
void *model_memccpy(void *, const void *, int, size_t);

static void check_reading(const char *a, const char *b) {
    size_t n = below(12);
    int c = below(4) ? (unsigned char)a[below((unsigned)strlen(a) + 1)] : 'z';
    EXPECT(model_strlen(a) == strlen(a), "'%s'", a);
    EXPECT(model_strnlen(a, n) == strnlen(a, n), "'%s' %zu", a, n);
    EXPECT(sign(model_strcmp(a, b)) == sign(strcmp(a, b)), "'%s' '%s'", a, b);
    EXPECT(sign(model_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "'%s' '%s' %zu", a, b, n);
    EXPECT(sign(model_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "'%s' '%s'", a, b);
    EXPECT(sign(model_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)), "'%s' '%s'", a, b);
    EXPECT(model_strchr(a, c) == strchr(a, c), "'%s' %d", a, c);
    EXPECT(model_strrchr(a, c) == strrchr(a, c), "'%s' %d", a, c);
    EXPECT(model_strchrnul(a, c) == strchrnul(a, c), "'%s' %d", a, c);
    EXPECT(model_strstr(a, b) == strstr(a, b), "'%s' '%s'", a, b);
    EXPECT(model_strspn(a, b) == strspn(a, b), "'%s' '%s'", a, b);
    EXPECT(model_strcspn(a, b) == strcspn(a, b), "'%s' '%s'", a, b);
    EXPECT(model_strpbrk(a, b) == strpbrk(a, b), "'%s' '%s'", a, b);
    EXPECT(sign(model_strcoll(a, b)) == sign(strcoll(a, b)), "'%s' '%s'", a, b);
    EXPECT(model_index(a, c) == index(a, c), "'%s' %d", a, c);
    EXPECT(model_rindex(a, c) == rindex(a, c), "'%s' %d", a, c);
    EXPECT(model_strcasestr(a, b) == strcasestr(a, b), "'%s' '%s'", a, b);
    EXPECT(model_rawmemchr(a, 0) == rawmemchr(a, 0), "'%s'", a);
    char cut[16] = "ab", whole[16];
    snprintf(whole, sizeof whole, "%.11s", a);
    EXPECT(model_strlcpy(cut, whole, n) == strlen(whole), "'%s' %zu", a, n);
    EXPECT(n == 0 || (strncmp(cut, whole, n - 1) == 0 && strlen(cut) < n), "'%s' %zu", a, n);
    char path[12];
    for (unsigned i = 0; (path[i] = a[i] == '-' ? '/' : a[i]); i++) {
    }
    EXPECT(model_basename(path) == basename(path), "'%s'", path);
    char x[16], y[16];
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    size_t most = below((unsigned)strlen(a) + 2);
    char *p = model_memccpy(x, a, c, most), *q = memccpy(y, a, c, most);
    EXPECT((p ? p - x : -1) == (q ? q - y : -1) && memcmp(x, y, sizeof x) == 0, "'%s' %d", a, c);
}

/* Both write into equal buffers, which must stay equal to the last byte. */
static void check_writing(const char *a, const char *b) {
    char x[64], y[64];
    size_t n = below(12);
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
#define BOTH(call)                                                                                 \
    do {                                                                                           \
        char *p = model_##call(x, a), *q = call(y, a);                                             \
        EXPECT(p - x == q - y && memcmp(x, y, sizeof x) == 0, "%s '%s'", #call, a);                \
    } while (0)
#define BOTH_N(call, from)                                                                         \
    do {                                                                                           \
        char *p = model_##call(x, from, n), *q = call(y, from, n);                                 \
        EXPECT(p - x == q - y && memcmp(x, y, sizeof x) == 0, "%s '%s' %zu", #call, from, n);      \
    } while (0)
    BOTH(strcpy);
    BOTH(strcat);
    BOTH_N(strncat, b);
    BOTH(stpcpy);
    BOTH_N(strncpy, b);
    BOTH_N(stpncpy, b);
}

static void check_tokens(const char *a, const char *b) {
    char x[32], y[32], *rest_x = 0, *rest_y = 0;
    strcpy(x, a);
    strcpy(y, a);
    char *p = model_strtok_r(x, b, &rest_x), *q = strtok_r(y, b, &rest_y);
    for (;;) {
        EXPECT((p == 0) == (q == 0) && (!p || p - x == q - y), "'%s' '%s'", a, b);
        if (!p || !q)
            break;
        p = model_strtok_r(0, b, &rest_x);
        q = strtok_r(0, b, &rest_y);
    }
    EXPECT(memcmp(x, y, strlen(a) + 1) == 0, "'%s' '%s'", a, b);
    strcpy(x, a);
    strcpy(y, a);
    rest_x = x;
    rest_y = y;
    do {
        p = model_strsep(&rest_x, b);
        q = strsep(&rest_y, b);
        EXPECT((p == 0) == (q == 0) && (!p || p - x == q - y), "'%s' '%s'", a, b);
    } while (p && q);
}

int main(void) {
    for (int i = 0; i < 30000; i++) {
        char a[12], b[5];
        random_string(a, sizeof a);
        random_string(b, sizeof b);
        check_reading(a, b);
        check_writing(a, b);
        check_tokens(a, b);
    }
    char text[] = "a-b";
    EXPECT(model_strtok(text, "-") == text && model_strtok(0, "-") == text + 2, "strtok");
    return finish();
}
