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
        SAME("%p %p %20p", (void *)(size_t)(unsigned)n, (void *)0, (void *)s);
    }
    EXPECT(model_sprintf(text, "%s=%d", "x", 42) == 4 && strcmp(text, "x=42") == 0, "'%s'", text);
    EXPECT(model_snprintf(0, 0, "%d", 123) == 3, "no buffer");
    char long_one[80];
    int a = model_snprintf(text, sizeof text, "%m"), b = model_snprintf(long_one, 80, "%5m|");
    EXPECT(a == (int)strlen(text) && a > 0 && b == a + 1, "%d %d", a, b);
    return finish();
}
