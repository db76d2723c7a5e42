/* stdio_format.c against the native snprintf. */
#include "driver.h"
#include <string.h>

int model_snprintf(char *, size_t, const char *, ...);
int model_sprintf(char *, const char *, ...);

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char x[40], y[40];                                                                         \
        size_t size = below(sizeof x);                                                             \
        memset(x, '#', sizeof x);                                                                  \
        memset(y, '#', sizeof y);                                                                  \
        int a = model_snprintf(x, size, __VA_ARGS__), b = snprintf(y, size, __VA_ARGS__);          \
        EXPECT(a == b && memcmp(x, y, sizeof x) == 0, "%zu '%.39s' '%.39s'", size, x, y);          \
    } while (0)

/* A text without its digits. */
static void blur(char *text) {
    for (; *text; text++)
        if (*text >= '0' && *text <= '9')
            *text = '0';
}

/* As f writes it below 2^63. */
static void check_exactly(const char *format, int width, int precision, double value) {
    char x[100], y[100];
    int a = model_snprintf(x, sizeof x, format, width, precision, value);
    int b = snprintf(y, sizeof y, format, width, precision, value);
    EXPECT(a == b && strcmp(x, y) == 0, "%s %d %d of %.17g: '%s' '%s'", format, width, precision, value, x, y);
}

/* A number that is nearly a power of ten may be rounded up to it: the model tries both. */
static void check_float(const char *format, int width, int precision, double value) {
    char x[400], y[400];
    int b = snprintf(y, sizeof y, format, width, precision, value), a = b + 1;
    blur(y);
    for (int i = 0; i < 40 && (a != b || strcmp(x, y) != 0); i++) {
        a = model_snprintf(x, sizeof x, format, width, precision, value);
        EXPECT(abs(a - b) <= 1 && (int)strlen(x) == a, "%s of %.17g: %d %d", format, value, a, b);
        blur(x);
    }
    EXPECT(a == b && strcmp(x, y) == 0, "%s %d %d of %.17g: '%s' '%s'", format, width, precision, value, x, y);
}

static double any_double(void) {
    static const double some[] = {0.0, -0.0, 0.5, 1, 9.96, 9.5, 10, 99.999, 100, 1e22, 1e23, -1e15, 0.1, 1e-5};
    static const double odd[] = {1.0 / 0.0, -1.0 / 0.0, 1e308, 5e-324, 1e-300, 1e100, 9.9e99, 1e99};
    unsigned which = below(8);
    if (which == 0)
        return odd[below(sizeof odd / sizeof *odd)];
    if (which < 3)
        return some[below(sizeof some / sizeof *some)];
    double value = (double)rand() / (1 + below(1000));
    for (unsigned i = below(12); i > 0; i--)
        value *= below(2) ? 1000 : 1e-3;
    return below(2) ? value : -value;
}

int main(void) {
#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-truncation"
    char text[64];
    for (int i = 0; i < 20000; i++) {
        int n = below(3) ? (int)below(200) - 100 : rand() - rand();
        long l = (long)n * (below(2) ? 1 : 100000);
        long long ll = (long long)n * rand();
        char s[12];
        random_string(s, sizeof s);
        SAME("%d|%5d|%-5d|%05d|%i", n, n, n, n, n);
        SAME("%u %x %X %o %hhx %hd", n, n, n, n, n, n);
        SAME("%ld %lu %lx %lld %llu %zu", l, l, l, ll, ll, (size_t)l);
        SAME("%s|%8s|%-8s|%.3s|%%|%c|%-3c|", s, s, s, s, 'a' + n % 26, 'z');
        int w = (int)below(14) - 7, p = (int)below(9) - 2;
        SAME("%+d|% d|%#x|%#o|%#X|%+ld|%i", n, n, n, n, n, l, n);
        SAME("%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%+.5d", n, n, n, n, n % 3, n);
        SAME("%.4x|%#.4x|%#6x|%#06x|%-#9x|%#.3o", n, n, n, n, n, n % 600);
        SAME("%*d|%-*d|%.*d|%*.*x", w, n, w, n, p, n, w, p, n);
        SAME("%*s|%.*s|%-*.*s|%.*u", w, s, p, s, w, p, s, p, n);
        static const char *const floats[] = {"%*.*f", "%-*.*f", "%0*.*f", "%+*.*f", "%#*.*F", "%*.*e", "% *.*E|"};
        check_float(floats[below(sizeof floats / sizeof *floats)], w, p, any_double());
        double number = below(3) ? any_double() : ((int)below(4000) - 2000) / (double)(1 << below(8));
        if (number < 0x1p63 && number > -0x1p63)
            check_exactly(floats[below(5)], w, below(4) ? p : (int)below(21), number);
        char room[32];
        int length = model_snprintf(room, sizeof room, "%.*g", p, any_double());
        EXPECT(length >= 1 && length <= (p < 0 ? 6 : p == 0 ? 1 : p) + 7, "%%g: %d", length);
        SAME("%p %p %20p", (void *)(size_t)(unsigned)n, (void *)0, (void *)s);
    }
    EXPECT(model_sprintf(text, "%s=%d", "x", 42) == 4 && strcmp(text, "x=42") == 0, "'%s'", text);
    EXPECT(model_snprintf(0, 0, "%d", 123) == 3, "no buffer");
    char long_one[80];
    int a = model_snprintf(text, sizeof text, "%m"), b = model_snprintf(long_one, 80, "%5m|");
    EXPECT(a == (int)strlen(text) && a > 0 && b == a + 1, "%d %d", a, b);
    return finish();
}
