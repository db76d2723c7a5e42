/* stdlib_number.c and stdlib_sort.c against the native functions. */
#include "driver.h"
#include <errno.h>
#include <search.h>
#include <string.h>

long model_strtol(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
long long model_strtoll(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
int model_atoi(const char *), model_abs(int);
long model_atol(const char *), model_labs(long);
long long model_llabs(long long);
int model_ffs(int), model_ffsl(long), model_ffsll(long long);
div_t model_div(int, int);
ldiv_t model_ldiv(long, long);
lldiv_t model_lldiv(long long, long long);
void model_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *model_lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *model_lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
typedef int compare(const void *, const void *);
void *model_bsearch(const void *, const void *, size_t, size_t, compare *);
int *model___errno_location(void);

static void random_number(char *s) {
    static const char *const starts[] = {"", " ", "\t-", "-", "+", "0x", "-0X", "0", "- ", "+-"};
    static const char digits[] = "00123456789999abfFgzZ x";
    strcpy(s, starts[below(sizeof starts / sizeof *starts)]);
    unsigned length = below(below(4) ? 5 : 24);
    s += strlen(s);
    while (length--)
        *s++ = digits[below(sizeof digits - 1)];
    *s = 0;
}

#define COMPARE(function, type, format)                                                            \
    do {                                                                                           \
        char *x = 0, *y = 0;                                                                       \
        errno = *model___errno_location() = 0;                                                     \
        type p = model_##function(s, &x, base), q = function(s, &y, base);                         \
        EXPECT(p == q && x == y, #function " '%s' %d: " format " " format, s, base, p, q);         \
        EXPECT(*model___errno_location() == errno, #function " '%s' %d errno", s, base);           \
    } while (0)

static void check_parsing(const char *s) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    int base = bases[below(6)];
    COMPARE(strtol, long, "%ld");
    COMPARE(strtoul, unsigned long, "%lu");
    COMPARE(strtoll, long long, "%lld");
    COMPARE(strtoull, unsigned long long, "%llu");
    EXPECT(model_atol(s) == atol(s), "atol '%s'", s);
    EXPECT(model_atoi(s) == atoi(s), "atoi '%s'", s);
}

static void check_limits(void) {
    static const char *const edges[] = {
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
        "-4294967295", "-4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "0x", "0xg", "",
    };
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int j = 0; j < 30; j++)
            check_parsing(edges[i]);
    char *end = 0;
    EXPECT(model_strtol("7", &end, 1) == 0 && *model___errno_location() == EINVAL, "bad base");
}

static void check_division(void) {
    int a = rand() - rand(), b = (int)below(100) - 50;
    if (b == 0)
        b = 7;
    div_t x = model_div(a, b), y = div(a, b);
    EXPECT(x.quot == y.quot && x.rem == y.rem, "div %d %d", a, b);
    ldiv_t lx = model_ldiv(a, b), ly = ldiv(a, b);
    EXPECT(lx.quot == ly.quot && lx.rem == ly.rem, "ldiv %d %d", a, b);
    long long wide = (long long)a * rand();
    lldiv_t wx = model_lldiv(wide, b), wy = lldiv(wide, b);
    EXPECT(wx.quot == wy.quot && wx.rem == wy.rem, "lldiv %lld %d", wide, b);
    EXPECT(model_abs(a) == abs(a) && model_labs(a) == labs(a), "abs %d", a);
    EXPECT(model_llabs(wide) == llabs(wide), "llabs %lld", wide);
    EXPECT(model_ffs(a) == __builtin_ffs(a), "ffs %d", a);
    EXPECT(model_ffsl(a) == __builtin_ffsl(a), "ffsl %d", a);
    EXPECT(model_ffsll(wide) == __builtin_ffsll(wide), "ffsll %lld", wide);
    EXPECT(model_ffsll(wide << (a & 63)) == __builtin_ffsll(wide << (a & 63)), "ffsll %lld", wide << (a & 63));
}

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_value_and_sign(const void *a, const void *b, void *sign) { return *(int *)sign * by_value(a, b); }

static void check_sorting(void) {
    int a[12], b[12], n = (int)below(12), key = (int)below(20), minus = -1;
    for (int i = 0; i < n; i++)
        a[i] = b[i] = (int)below(20);
    model_qsort(a, (size_t)n, sizeof *a, by_value);
    qsort(b, (size_t)n, sizeof *b, by_value);
    EXPECT(memcmp(a, b, (size_t)n * sizeof *a) == 0, "qsort of %d", n);
    int *x = model_bsearch(&key, a, (size_t)n, sizeof *a, by_value);
    int *y = bsearch(&key, a, (size_t)n, sizeof *a, by_value);
    EXPECT((x == 0) == (y == 0) && (!x || *x == key), "bsearch of %d", key);
    model_qsort_r(a, (size_t)n, sizeof *a, by_value_and_sign, &minus);
    qsort_r(b, (size_t)n, sizeof *b, by_value_and_sign, &minus);
    EXPECT(memcmp(a, b, (size_t)n * sizeof *a) == 0, "qsort_r of %d", n);
    size_t model_count = (size_t)n, native_count = (size_t)n;
    x = model_lfind(&key, a, &model_count, sizeof *a, by_value);
    y = lfind(&key, b, &native_count, sizeof *b, by_value);
    EXPECT((x == 0) == (y == 0) && (!x || x - a == y - b), "lfind of %d", key);
    x = model_lsearch(&key, a, &model_count, sizeof *a, by_value);
    y = lsearch(&key, b, &native_count, sizeof *b, by_value);
    EXPECT(x - a == y - b && *x == key && model_count == native_count, "lsearch of %d", key);
}

int main(void) {
    check_limits();
    for (int i = 0; i < 20000; i++) {
        char s[64];
        random_number(s);
        check_parsing(s);
        check_division();
        check_sorting();
    }
    return finish();
}
