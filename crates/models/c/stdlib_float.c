/* Floating-point numbers from strings: strtod, strtof, atof.
 *
 * Exact where one rounding suffices (Clinger, 1990): digits that a number holds exactly, times or
 * divided by a power of ten that it holds exactly. So "0.001" and "1e22" are right to the last bit.
 * left out: more digits or larger exponents, hexadecimal numbers, "inf" and "nan" (UNKNOWN).
 *
 * accesses: visible
 */
#include "raddle.h"

typedef struct {
    unsigned long long digits;
    int exponent;
    _Bool negative, some, exact;
    const char *end;
} parsed;

static _Bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(parsed *p, char c, _Bool fraction) {
    if (p->digits > 99999999999999999ull) {
        p->exact = 0;
        return;
    }
    p->digits = p->digits * 10 + (unsigned)(c - '0');
    p->exponent -= fraction;
}

static parsed parse(const char *s) {
    parsed p = {0, 0, 0, 0, 1, s};
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        p.negative = *s++ == '-';
    if (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N' ||
        (*s == '0' && (s[1] == 'x' || s[1] == 'X')))
        p.exact = 0;
    for (; is_digit(*s); s++, p.some = 1)
        add_digit(&p, *s, 0);
    if (*s == '.' && (p.some || is_digit(s[1]))) {
        s++;
        for (; is_digit(*s); s++, p.some = 1)
            add_digit(&p, *s, 1);
    }
    if (!p.some) {
        p.negative = 0;
        return p;
    }
    p.end = s;
    if (*s != 'e' && *s != 'E')
        return p;
    _Bool down = s[1] == '-';
    s += 1 + (s[1] == '-' || s[1] == '+');
    if (!is_digit(*s))
        return p;
    int exponent = 0;
    for (; is_digit(*s); s++)
        exponent = exponent > 9999 ? exponent : exponent * 10 + (*s - '0');
    p.exponent += down ? -exponent : exponent;
    p.end = s;
    return p;
}

#define CONVERT(type, name, most_digits, most_exponent)                                            \
    type name(const char *s, char **end) {                                                         \
        parsed p = parse(s);                                                                       \
        int exponent = p.exponent < 0 ? -p.exponent : p.exponent;                                  \
        if (!p.exact || p.digits > most_digits || (exponent > most_exponent && p.digits != 0))     \
            __raddle_unsupported("conversion of such a floating-point number");                    \
        if (end)                                                                                   \
            *end = (char *)p.end;                                                                  \
        type power = 1, value = (type)p.digits;                                                    \
        for (int i = 0; i < exponent && p.digits != 0; i++)                                        \
            power *= 10;                                                                           \
        value = p.exponent < 0 ? value / power : value * power;                                    \
        return p.negative ? -value : value;                                                        \
    }

CONVERT(double, strtod, (1ull << 53), 22)
CONVERT(float, strtof, (1ull << 24), 10)

double atof(const char *s) { return strtod(s, NULL); }
