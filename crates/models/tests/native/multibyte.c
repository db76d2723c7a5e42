/* multibyte.c against the native conversions, in the "C" locale and in UTF-8. */
#include "driver.h"
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

size_t model_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *), model_wcrtomb(char *, wchar_t, mbstate_t *);
size_t model_mbstowcs(wchar_t *, const char *, size_t), model_wcstombs(char *, const wchar_t *, size_t);
size_t model_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t model_mbrlen(const char *, size_t, mbstate_t *), model___ctype_get_mb_cur_max(void);
int model_mbtowc(wchar_t *, const char *, size_t), model_mblen(const char *, size_t);
int model_wctob(wint_t), model_iswalnum(wint_t), model_iswspace(wint_t), model_iswupper(wint_t);
wint_t model_btowc(int), model_towupper(wint_t), model_towlower(wint_t);
char *model_setlocale(int, const char *);
int *model___errno_location(void);

enum { ROOM = 12 };

static void random_bytes(char *s, int utf8) {
    static const char *const parts[] = {"a", "Z", "7", " ", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                        "\xc3", "\xe2\x82", "\xff", "\x80", "\xc0\x80", "\xed\xa0\x80",
                                        "\xe0\x80\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80"};
    unsigned count = below(5), most = utf8 ? sizeof parts / sizeof *parts : 4;
    *s = 0;
    for (unsigned i = 0; i < count; i++)
        strcat(s, parts[below(most)]);
}

static void one(const char *s) {
    mbstate_t x = {0}, y = {0};
    wchar_t c = L'#', d = L'#';
    size_t size = below(5), length = strlen(s) + 1;
    if (size > length)
        size = length;
    size_t a = mbrtowc(&c, s, size, &x), b = model_mbrtowc(&d, s, size, &y);
    EXPECT(a == b && c == d, "'%s' %zu: %zd %zd, %x %x", s, size, a, b, (unsigned)c, (unsigned)d);
    EXPECT(!mbsinit(&x) == (a == (size_t)-2 && size > 0), "the state of '%s'", s);
    if (a == (size_t)-2 && size < length) {
        a = mbrtowc(&c, s + size, length - size, &x), b = model_mbrtowc(&d, s + size, length - size, &y);
        EXPECT(a == b && c == d, "the rest of '%s': %zd %zd", s, a, b);
    }
    if (size != 0)
        EXPECT(mblen(s, size) == model_mblen(s, size), "'%s' %zu", s, size);
    EXPECT(mbtowc(&c, s, length) == model_mbtowc(&d, s, length) && c == d, "'%s'", s);
}

static void whole(const char *s) {
    wchar_t x[ROOM], y[ROOM];
    char back[4 * ROOM], forth[4 * ROOM];
    size_t size = below(ROOM);
    EXPECT(mbstowcs(NULL, s, 0) == model_mbstowcs(NULL, s, 0), "'%s'", s);
    wmemset(x, L'#', ROOM), wmemset(y, L'#', ROOM);
    size_t a = mbstowcs(x, s, size), b = model_mbstowcs(y, s, size);
    EXPECT(a == b, "'%s' %zu: %zd %zd", s, size, a, b);
    if (a == (size_t)-1 || a == size)
        return;
    EXPECT(wmemcmp(x, y, ROOM) == 0, "'%s' %zu", s, size);
    memset(back, '#', sizeof back), memset(forth, '#', sizeof forth);
    size = below(ROOM);
    a = wcstombs(back, x, size), b = model_wcstombs(forth, x, size);
    EXPECT(a == b && memcmp(back, forth, sizeof back) == 0, "'%s' %zu: %zd %zd", s, size, a, b);
    EXPECT(wcstombs(NULL, x, 0) == model_wcstombs(NULL, x, 0), "'%s'", s);
}

static void classes(void) {
    for (wint_t c = 0; c < 128; c++) {
        EXPECT(!iswalnum(c) == !model_iswalnum(c) && !iswspace(c) == !model_iswspace(c), "%u", c);
        EXPECT(!iswupper(c) == !model_iswupper(c), "%u", c);
        EXPECT(towupper(c) == model_towupper(c) && towlower(c) == model_towlower(c), "%u", c);
        EXPECT(btowc((int)c) == model_btowc((int)c) && wctob(c) == model_wctob(c), "%u", c);
    }
    EXPECT(model_btowc(EOF) == WEOF && !model_iswalnum(WEOF) && model_towupper(WEOF) == WEOF, "the end");
}

int main(void) {
    int utf8 = 0;
    for (int i = 0; i < 20000; i++) {
        if (i == 2000) {
            utf8 = setlocale(LC_ALL, "C.UTF-8") != NULL;
            while (utf8 && model___ctype_get_mb_cur_max() != MB_CUR_MAX)
                model_setlocale(LC_ALL, "C.UTF-8");
        }
        char s[32];
        random_bytes(s, utf8);
        one(s);
        whole(s);
    }
    EXPECT(utf8, "there is a locale with UTF-8");
    classes();
    return finish();
}
