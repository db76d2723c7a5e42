/* Classes of characters in the "C" locale.
 *
 * The macros of glibc's ctype.h look into a table that __ctype_b_loc gives, indexed from -128 to
 * 255; the bits are those of a little-endian machine. toupper and tolower are functions without
 * optimisation.
 * left out: locales other than "C".
 *
 * accesses: hidden
 */
#include "raddle.h"

enum {
    BLANK = 0x0001,
    CONTROL = 0x0002,
    PUNCTUATION = 0x0004,
    ALNUM = 0x0008,
    UPPER = 0x0100,
    LOWER = 0x0200,
    ALPHA = 0x0400,
    DIGIT = 0x0800,
    HEX = 0x1000,
    SPACE = 0x2000,
    PRINT = 0x4000,
    GRAPH = 0x8000,
};

#define SIGN (PUNCTUATION | PRINT | GRAPH)
#define LETTER (ALPHA | ALNUM | PRINT | GRAPH)

static const unsigned short classes[128 + 256] = {
    [128 + 0 ... 128 + 8] = CONTROL,
    [128 + 9] = CONTROL | SPACE | BLANK,
    [128 + 10 ... 128 + 13] = CONTROL | SPACE,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = SPACE | BLANK | PRINT,
    [128 + '!' ... 128 + '/'] = SIGN,
    [128 + '0' ... 128 + '9'] = DIGIT | HEX | ALNUM | PRINT | GRAPH,
    [128 + ':' ... 128 + '@'] = SIGN,
    [128 + 'A' ... 128 + 'F'] = LETTER | UPPER | HEX,
    [128 + 'G' ... 128 + 'Z'] = LETTER | UPPER,
    [128 + '[' ... 128 + '`'] = SIGN,
    [128 + 'a' ... 128 + 'f'] = LETTER | LOWER | HEX,
    [128 + 'g' ... 128 + 'z'] = LETTER | LOWER,
    [128 + '{' ... 128 + '~'] = SIGN,
    [128 + 127] = CONTROL,
};

const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = classes + 128;
    return &table;
}

static int is(int c, int class) { return c >= 0 && c <= 255 ? classes[128 + c] & class : 0; }

int isalnum(int c) { return is(c, ALNUM); }
int isalpha(int c) { return is(c, ALPHA); }
int isblank(int c) { return is(c, BLANK); }
int iscntrl(int c) { return is(c, CONTROL); }
int isdigit(int c) { return is(c, DIGIT); }
int isgraph(int c) { return is(c, GRAPH); }
int islower(int c) { return is(c, LOWER); }
int isprint(int c) { return is(c, PRINT); }
int ispunct(int c) { return is(c, PUNCTUATION); }
int isspace(int c) { return is(c, SPACE); }
int isupper(int c) { return is(c, UPPER); }
int isxdigit(int c) { return is(c, HEX); }

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }
