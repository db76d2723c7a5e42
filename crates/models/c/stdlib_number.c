/* Numbers: absolute values, division, lowest set bits (strings.h), and conversion from strings, in the "C" locale.
 *
 * The absolute value of the smallest number is undefined; "overflow" reports it.
 * strtol and its kin set errno to ERANGE when the number does not fit, EINVAL for a bad base.
 * left out: locales other than "C".
 *
 * accesses: visible
 */
#include "raddle.h"

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

/* The place of the lowest bit that is set, counted from 1; 0 if there is none. */
int ffsll(long long x) {
    unsigned long long bits = x;
    int place = 1;
    if (bits == 0)
        return 0;
    for (int half = 32; half > 0; half /= 2) {
        if ((bits & ((1ull << half) - 1)) == 0) {
            bits >>= half;
            place += half;
        }
    }
    return place;
}
int ffsl(long x) { return ffsll(x); }
int ffs(int x) { return ffsll(x); }

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The digit's value, or 99. */
static unsigned digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

typedef struct {
    unsigned long long magnitude; /* the limit if it is larger */
    int negative;
    int too_large;
} parsed;

/* Reads blanks, a sign, a prefix that fits the base, and digits, up to the two limits. */
static parsed parse(const char *s, char **end, int base, unsigned long long limit,
                    unsigned long long negative_limit) {
    parsed number = {0, 0, 0};
    const char *at = s;
    if (end)
        *end = (char *)s;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return number;
    }
    while (is_space(*at))
        at++;
    if (*at == '-' || *at == '+')
        number.negative = *at++ == '-';
    int hexadecimal = *at == '0' && (at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16;
    if ((base == 0 || base == 16) && hexadecimal) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    if (number.negative)
        limit = negative_limit;
    int any = 0;
    for (unsigned d; (d = digit(*at)) < (unsigned)base; at++, any = 1) {
        if (number.magnitude > (limit - d) / base)
            number.too_large = 1;
        else
            number.magnitude = number.magnitude * base + d;
    }
    if (end && any)
        *end = (char *)at;
    if (number.too_large) {
        number.magnitude = limit;
        *__errno_location() = ERANGE;
    }
    return number;
}

#define LONG_LONG_MAX 0x7fffffffffffffffull
#define LONG_MAX ((unsigned long long)(~0ul >> 1))

long long strtoll(const char *s, char **end, int base) {
    parsed number = parse(s, end, base, LONG_LONG_MAX, LONG_LONG_MAX + 1);
    return number.negative ? (long long)(0 - number.magnitude) : (long long)number.magnitude;
}

long strtol(const char *s, char **end, int base) {
    parsed number = parse(s, end, base, LONG_MAX, LONG_MAX + 1);
    return (long)(number.negative ? 0 - number.magnitude : number.magnitude);
}

/* A minus sign negates the result, but not the limit that too large a number gives. */
static unsigned long long parse_unsigned(const char *s, char **end, int base,
                                         unsigned long long limit) {
    parsed number = parse(s, end, base, limit, limit);
    return number.negative && !number.too_large ? 0 - number.magnitude : number.magnitude;
}

unsigned long long strtoull(const char *s, char **end, int base) {
    return parse_unsigned(s, end, base, ~0ull);
}

unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)parse_unsigned(s, end, base, ~0ul);
}

int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

/* What headers of C23 call. */
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
    return strtoul(s, end, base);
}

long long imaxabs(long long x) { return x < 0 ? -x : x; }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long __isoc23_strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long __isoc23_strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
