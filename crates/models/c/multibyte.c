/* Bytes and wide characters: conversions of stdlib.h and wchar.h, classes of wctype.h.
 *
 * The encoding belongs to the locale. In "C", where a program begins, bytes above 127 are errors, or characters of the same
 * number, as the library likes. After a setlocale that succeeds it may also be UTF-8, and stays what it is until the next one. Null as a state
 * means an object of the library: threads that use it at the same time race.
 * left out: encodings other than those three; wide streams and formats (UNKNOWN); classes of characters beyond ASCII are any,
 * another one with each call.
 *
 * accesses: visible
 */
#include "any.h"

typedef __WCHAR_TYPE__ wide;
typedef unsigned wint;

/* As glibc lays it out. How many bytes are missing, and of how many; what the others say. */
typedef struct {
    unsigned char missing, length, unused[2];
    unsigned value;
} state;

enum { UNDECIDED, STRICT, BYTES, UTF8, EILSEQ = 84, LONGEST = 6 };
/* glibc goes on behind the last character of Unicode. */
#define LAST 0x1fffffu
#define WEOF 0xffffffffu
#define WRONG ((size_t)-1)
#define TOO_SHORT ((size_t)-2)

static int the_encoding_of_the_locale;

/* A hook of setlocale. */
void __raddle_new_encoding(int category, const char *name) {
    enum { LC_CTYPE = 0, LC_ALL = 6 };
    if (category != LC_CTYPE && category != LC_ALL)
        return;
    _Bool is_c = name[0] == 'C' && name[1] == 0;
    the_encoding_of_the_locale = is_c || __raddle_choice(2) ? STRICT + (int)__raddle_choice(2) : UTF8;
}

static int of_locale(void) {
    __raddle_atomic_begin();
    if (the_encoding_of_the_locale == UNDECIDED)
        the_encoding_of_the_locale = STRICT + (int)__raddle_choice(2);
    int now = the_encoding_of_the_locale;
    __raddle_atomic_end();
    return now;
}

size_t __ctype_get_mb_cur_max(void) { return of_locale() == UTF8 ? LONGEST : 1; }

static size_t wrong(void) {
    *__errno_location() = EILSEQ;
    return WRONG;
}

/* The first byte of a character of several bytes. */
static int begins(state *s, unsigned char c) {
    if (c < 0xc2 || c > 0xf7)
        return 0;
    s->length = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    s->missing = s->length - 1;
    s->value = c & (0xffu >> (s->length + 1));
    return 1;
}

static int is_character(const state *s) {
    unsigned least = s->length == 2 ? 0x80 : s->length == 3 ? 0x800 : 0x10000;
    return s->value >= least && (s->value < 0xd800 || s->value > 0xdfff);
}

size_t mbrtowc(wide *to, const char *from, size_t size, state *s) {
    static state the_state_of_mbrtowc;
    if (!s)
        s = &the_state_of_mbrtowc;
    if (!from)
        return mbrtowc(NULL, "", 1, s);
    if (size == 0)
        return TOO_SHORT;
    size_t used = 0;
    if (s->missing == 0) {
        unsigned char c = (unsigned char)from[used++];
        int now = of_locale();
        if (c < 0x80 || now == BYTES) {
            if (to)
                *to = c;
            return c != 0;
        }
        if (now == STRICT || !begins(s, c))
            return wrong();
    }
    for (; s->missing != 0; s->missing--) {
        if (used == size)
            return TOO_SHORT;
        unsigned char c = (unsigned char)from[used++];
        if ((c & 0xc0) != 0x80) {
            s->missing = 0;
            return wrong();
        }
        s->value = s->value << 6 | (c & 0x3f);
    }
    if (!is_character(s))
        return wrong();
    if (to)
        *to = (wide)s->value;
    return used;
}

size_t mbrlen(const char *from, size_t size, state *s) {
    static state the_state_of_mbrlen;
    return mbrtowc(NULL, from, size, s ? s : &the_state_of_mbrlen);
}

int mbsinit(const state *s) { return !s || s->missing == 0; }

int mbtowc(wide *to, const char *from, size_t size) {
    state fresh = {0};
    if (!from)
        return 0;
    size_t used = mbrtowc(to, from, size, &fresh);
    return used == TOO_SHORT ? -1 : (int)used;
}

int mblen(const char *from, size_t size) { return mbtowc(NULL, from, size); }

/* Characters up to the zero or the size; where to go on, or null after the zero. */
size_t mbsrtowcs(wide *to, const char **from, size_t size, state *s) {
    static state the_state_of_mbsrtowcs;
    const char *at = *from;
    size_t count = 0;
    for (; !to || count < size; count++) {
        wide c;
        size_t used = mbrtowc(&c, at, LONGEST, s ? s : &the_state_of_mbsrtowcs);
        if (used == WRONG) {
            if (to)
                *from = at;
            return WRONG;
        }
        if (to)
            to[count] = c;
        if (used == 0) {
            if (to)
                *from = NULL;
            return count;
        }
        at += used;
    }
    *from = at;
    return count;
}

size_t mbstowcs(wide *to, const char *from, size_t size) {
    state fresh = {0};
    return mbsrtowcs(to, &from, size, &fresh);
}

size_t wcrtomb(char *to, wide character, state *s) {
    unsigned c = (unsigned)character;
    int now = of_locale();
    if (!to)
        return 1;
    if (c < 0x80 || (now == BYTES && c < 0x100)) {
        to[0] = (char)c;
        return 1;
    }
    if (now != UTF8 || c > LAST || (c >= 0xd800 && c <= 0xdfff))
        return wrong();
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i != 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(0xff00u >> length | c);
    return length;
}

int wctomb(char *to, wide character) { return to ? (int)wcrtomb(to, character, NULL) : 0; }

size_t wcsrtombs(char *to, const wide **from, size_t size, state *s) {
    const wide *at = *from;
    size_t count = 0;
    for (;; at++) {
        char bytes[LONGEST];
        size_t length = wcrtomb(bytes, *at, s);
        if (length == WRONG) {
            if (to)
                *from = at;
            return WRONG;
        }
        if (to && count + length > size)
            break;
        for (size_t i = 0; to && i < length; i++)
            to[count + i] = bytes[i];
        if (*at == 0) {
            if (to)
                *from = NULL;
            return count;
        }
        count += length;
    }
    *from = at;
    return count;
}

size_t wcstombs(char *to, const wide *from, size_t size) { return wcsrtombs(to, &from, size, NULL); }

wint btowc(int c) {
    if (c < 0 || c > 255)
        return WEOF;
    return c < 0x80 || of_locale() == BYTES ? (wint)c : WEOF;
}

int wctob(wint c) { return c < 0x80 || (c < 0x100 && of_locale() == BYTES) ? (int)c : -1; }

/* ctype.c: ASCII is the same everywhere. */
int isalnum(int c), isalpha(int c), isblank(int c), iscntrl(int c), isgraph(int c), islower(int c);
int isprint(int c), ispunct(int c), isspace(int c), isupper(int c), isdigit(int c), isxdigit(int c);
int tolower(int c), toupper(int c);

static int class_of(wint c, int (*is)(int)) {
    if (c < 0x80)
        return is((int)c);
    return c != WEOF && of_locale() == UTF8 && __raddle_choice(2);
}

int iswalnum(wint c) { return class_of(c, isalnum); }
int iswalpha(wint c) { return class_of(c, isalpha); }
int iswblank(wint c) { return class_of(c, isblank); }
int iswcntrl(wint c) { return class_of(c, iscntrl); }
int iswgraph(wint c) { return class_of(c, isgraph); }
int iswlower(wint c) { return class_of(c, islower); }
int iswprint(wint c) { return class_of(c, isprint); }
int iswpunct(wint c) { return class_of(c, ispunct); }
int iswspace(wint c) { return class_of(c, isspace); }
int iswupper(wint c) { return class_of(c, isupper); }
int iswdigit(wint c) { return c < 0x80 ? isdigit((int)c) : 0; }
int iswxdigit(wint c) { return c < 0x80 ? isxdigit((int)c) : 0; }

static wint other_case(wint c) {
    if (c == WEOF || of_locale() != UTF8 || __raddle_choice(2))
        return c;
    return __raddle_input_u32() & 0xfffff;
}

wint towlower(wint c) { return c < 0x80 ? (wint)tolower((int)c) : other_case(c); }
wint towupper(wint c) { return c < 0x80 ? (wint)toupper((int)c) : other_case(c); }
