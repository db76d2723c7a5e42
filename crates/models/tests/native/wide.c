/* wide.c against the native wcs* functions. */
#include "driver.h"
#include <wchar.h>

size_t model_wcslen(const wchar_t *), model_wcsnlen(const wchar_t *, size_t);
wchar_t *model_wcscpy(wchar_t *, const wchar_t *), *model_wcscat(wchar_t *, const wchar_t *);
wchar_t *model_wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wcsncat(wchar_t *, const wchar_t *, size_t);
int model_wcscmp(const wchar_t *, const wchar_t *);
int model_wcsncmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *model_wcschr(const wchar_t *, wchar_t), *model_wcsrchr(const wchar_t *, wchar_t);
wchar_t *model_wcsstr(const wchar_t *, const wchar_t *), *model_wcsdup(const wchar_t *);
wchar_t *model_wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wmemset(wchar_t *, wchar_t, size_t);
wchar_t *model_wmemchr(const wchar_t *, wchar_t, size_t);
int model_wmemcmp(const wchar_t *, const wchar_t *, size_t);
void model_free(void *);

enum { ROOM = 40 };

static void random_wide(wchar_t *s, unsigned room) {
    static const wchar_t letters[] = L"ab\x20ac\U0001F600";
    unsigned length = below(room);
    for (unsigned i = 0; i < length; i++)
        s[i] = letters[below(4)];
    s[length] = 0;
}

static void reading(const wchar_t *a, const wchar_t *b) {
    size_t n = below(8);
    wchar_t c = below(4) ? a[below((unsigned)wcslen(a) + 1)] : L'z';
    EXPECT(model_wcslen(a) == wcslen(a) && model_wcsnlen(a, n) == wcsnlen(a, n), "'%ls'", a);
    EXPECT(sign(model_wcscmp(a, b)) == sign(wcscmp(a, b)), "'%ls' '%ls'", a, b);
    EXPECT(sign(model_wcsncmp(a, b, n)) == sign(wcsncmp(a, b, n)), "'%ls' '%ls'", a, b);
    EXPECT(model_wcschr(a, c) == wcschr(a, c) && model_wcsrchr(a, c) == wcsrchr(a, c), "'%ls'", a);
    EXPECT(model_wcsstr(a, b) == wcsstr(a, b), "'%ls' '%ls'", a, b);
    n = below((unsigned)wcslen(a) + 1);
    EXPECT(model_wmemchr(a, c, n) == wmemchr(a, c, n), "'%ls'", a);
    wchar_t *copy = model_wcsdup(a);
    EXPECT(wcscmp(copy, a) == 0, "'%ls'", a);
    model_free(copy);
}

static void writing(const wchar_t *a, const wchar_t *b) {
    wchar_t x[ROOM], y[ROOM];
    size_t n = below(8), to = below(8), from = below(8);
    wmemset(x, L'#', ROOM);
    wmemset(y, L'#', ROOM);
#define SAME() EXPECT(wmemcmp(x, y, ROOM) == 0, "'%ls' '%ls' %zu", a, b, n)
    EXPECT(model_wcscpy(x, a) == x && wcscpy(y, a), "result");
    SAME();
    EXPECT(model_wcscat(x, b) == x && wcscat(y, b), "result");
    SAME();
    EXPECT(model_wcsncat(x, b, n) == x && wcsncat(y, b, n), "result");
    SAME();
    EXPECT(model_wmemmove(x + to, x + from, n) == x + to && wmemmove(y + to, y + from, n), "result");
    SAME();
    EXPECT(model_wmemset(x + to, L'+', n) == x + to && wmemset(y + to, L'+', n), "result");
    SAME();
    EXPECT(model_wmemcpy(x, x + 20, n) == x && wmemcpy(y, y + 20, n), "result");
    SAME();
    EXPECT(model_wcsncpy(x, a, n) == x && wcsncpy(y, a, n), "result");
    SAME();
    EXPECT(sign(model_wmemcmp(x, x + to, n)) == sign(wmemcmp(x, x + to, n)), "wmemcmp");
}

int main(void) {
    for (int i = 0; i < 20000; i++) {
        wchar_t a[10], b[4];
        random_wide(a, 10);
        random_wide(b, 4);
        reading(a, b);
        writing(a, b);
    }
    return finish();
}
