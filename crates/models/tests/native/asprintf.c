/* stdio_alloc.c against the native asprintf and vasprintf. */
#include "driver.h"
#include <stdarg.h>
#include <string.h>

int model_asprintf(char **, const char *, ...), model_vasprintf(char **, const char *, va_list);
void model_free(void *);

static int by_list(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = model_vasprintf(to, format, list);
    va_end(list);
    return length;
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char *x = 0, *y = 0, *z = 0;                                                               \
        int a = model_asprintf(&x, __VA_ARGS__), b = asprintf(&y, __VA_ARGS__);                    \
        int c = by_list(&z, __VA_ARGS__);                                                          \
        EXPECT(a == b && strcmp(x, y) == 0, "%d '%s' %d '%s'", a, x, b, y);                        \
        EXPECT(c == b && strcmp(z, y) == 0, "%d '%s' %d '%s'", c, z, b, y);                        \
        model_free(x);                                                                             \
        free(y);                                                                                   \
        model_free(z);                                                                             \
    } while (0)

int main(void) {
    for (int i = 0; i < 5000; i++) {
        int n = below(3) ? (int)below(200) - 100 : rand() - rand();
        char s[12];
        random_string(s, sizeof s);
        unsigned u = below(1000), v = below(1000);
        char letter = (char)('a' + below(26));
        SAME("%d", n);
        SAME("%s=%d (%5u) %x", s, n, u, v);
        SAME("%-8s|%8s|%c|%ld|%%", s, s, letter, (long)n * 1000);
        SAME("nothing");
        /* More than registers hold. */
        SAME("%d %d %d %d %d %d %d %s %d", n, 1, 2, 3, n, 5, 6, s, n);
    }
    return finish();
}
