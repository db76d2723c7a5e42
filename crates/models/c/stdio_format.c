/* Output into strings: snprintf and its kin.
 *
 * Conversions d i u x X o c s p m n and %%, with the flags - 0 + # and space, widths, precisions (also given by *), and
 * the lengths hh h l ll z t j. A floating-point number below 2^63 has its digits for f and F with a precision of at most 20, rounded as
 * IEEE 754 says. Otherwise (e E, g G) it has as many as it should have, g and G at most so many, but any digits. Everything else is not modelled. A pointer is
 * written as glibc does. A text that is printed onto itself is undefined, and a finding of "memory". The text is cut to the size, the result is the length of the whole text.
 * left out: which digits other floating-point numbers have; long double and other conversions (UNKNOWN).
 *
 * accesses: visible
 */
#include "apart.h"

char *strerror(int error);
void __raddle_count_into(void *to, int longs, int least, int most);

typedef __builtin_va_list va_list;

typedef struct {
    char *to;
    size_t room;   /* size of the buffer, with the terminating zero */
    size_t length; /* of the text so far, also beyond the buffer */
} output;

static void put(output *out, char c) {
    if (out->length + 1 < out->room)
        out->to[out->length] = c;
    out->length++;
}

/* One conversion: everything between % and its letter. */
typedef struct {
    int left, zeros, plus, space, other;
    int width;
    int precision; /* -1: none */
    int longs;     /* -2 hh, -1 h, 0 int, 1 long and other words, 2 long long */
} format;

static void put_field(output *out, const format *f, const char *sign, const char *text, int size) {
    int fill = f->width - size;
    for (const char *c = sign; *c; c++)
        fill--;
    if (!f->left && !f->zeros)
        for (int i = 0; i < fill; i++)
            put(out, ' ');
    for (const char *c = sign; *c; c++)
        put(out, *c);
    if (!f->left && f->zeros)
        for (int i = 0; i < fill; i++)
            put(out, '0');
    for (int i = 0; i < size; i++)
        put(out, text[i]);
    if (f->left)
        for (int i = 0; i < fill; i++)
            put(out, ' ');
}

static void put_number(output *out, const format *f, const char *sign, unsigned long long value,
                       unsigned base, char ten) {
    char digits[24];
    int at = sizeof digits;
    if (f->other && base == 16 && value != 0)
        sign = ten == 'a' ? "0x" : "0X";
    for (; value != 0 || (at == (int)sizeof digits && f->precision != 0); value /= base) {
        unsigned digit = (unsigned)(value % base);
        digits[--at] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
    }
    if (f->other && base == 8 && (at == (int)sizeof digits || digits[at] != '0'))
        digits[--at] = '0';
    int size = (int)sizeof digits - at;
    if (f->precision <= size) {
        format plain = *f;
        plain.zeros &= f->precision < 0;
        put_field(out, &plain, sign, digits + at, size);
        return;
    }
    /* Zeros up to the precision stand between sign and digits. */
    int signs = 0;
    while (sign[signs])
        signs++;
    int fill = f->width - signs - f->precision;
    for (int i = 0; !f->left && i < fill; i++)
        put(out, ' ');
    for (int i = 0; i < signs; i++)
        put(out, sign[i]);
    for (int i = size; i < f->precision; i++)
        put(out, '0');
    for (int i = 0; i < size; i++)
        put(out, digits[at + i]);
    for (int i = 0; f->left && i < fill; i++)
        put(out, ' ');
}

static void put_string(output *out, const format *f, const char *s) {
    int size = 0;
    while ((f->precision < 0 || size < f->precision) && s[size])
        size++;
    /* Written are the text so far, this one, and a zero behind it. */
    size_t written = out->length + (size_t)size + 1;
    size_t read = (size_t)size + (size != f->precision);
    if (__raddle_checking(MEMORY))
        __raddle_check(MEMORY, are_apart(out->to, written < out->room ? written : out->room, s, read),
                       "a text that is printed overlaps with the place that it is printed to");
    put_field(out, f, "", s, size);
}

static const char *read_number(const char *at, int *number) {
    *number = 0;
    while (*at >= '0' && *at <= '9')
        *number = *number * 10 + (*at++ - '0');
    return at;
}

/* The arguments travel in a structure, because a list that is passed on may be used up or not. */
typedef struct {
    va_list list;
} arguments;

static const char *read_size(const char *at, int *number, arguments *a) {
    if (*at != '*')
        return read_number(at, number);
    *number = __builtin_va_arg(a->list, int);
    return at + 1;
}

static const char *read_format(const char *at, format *f, arguments *a) {
    for (;; at++) {
        if (*at == '-')
            f->left = 1;
        else if (*at == '0')
            f->zeros = 1;
        else if (*at == '+')
            f->plus = 1;
        else if (*at == ' ')
            f->space = 1;
        else if (*at == '#')
            f->other = 1;
        else
            break;
    }
    at = read_size(at, &f->width, a);
    if (f->width < 0) {
        f->left = 1;
        f->width = -f->width;
    }
    if (*at == '.') {
        at = read_size(at + 1, &f->precision, a);
        if (f->precision < 0)
            f->precision = -1;
    }
    for (;; at++) {
        if (*at == 'l')
            f->longs++;
        else if (*at == 'h')
            f->longs--;
        else if (*at == 'z' || *at == 't')
            f->longs = 1;
        else if (*at == 'j')
            f->longs = 2;
        else
            return at;
    }
}

static long long next_signed(arguments *a, int longs) {
    if (longs >= 2)
        return __builtin_va_arg(a->list, long long);
    if (longs == 1)
        return __builtin_va_arg(a->list, long);
    int value = __builtin_va_arg(a->list, int);
    return longs == 0 ? value : longs == -1 ? (short)value : (signed char)value;
}

static unsigned long long next_unsigned(arguments *a, int longs) {
    if (longs >= 2)
        return __builtin_va_arg(a->list, unsigned long long);
    if (longs == 1)
        return __builtin_va_arg(a->list, unsigned long);
    unsigned value = __builtin_va_arg(a->list, unsigned);
    return longs == 0 ? value : longs == -1 ? (unsigned short)value : (unsigned char)value;
}

/* How many digits the whole part of a positive number has; one more if it may be rounded up to that. The exponent of
 * two says it but for one, which a comparison decides as far as powers of ten are exact. */
static int whole_digits(double value, int exponent) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent < 0)
        return 1;
    /* Bounds of log10(2) from below and above. */
    int least = 1 + (exponent * 1233 >> 12), most = 1 + ((exponent + 1) * 315653 >> 20);
    if (least == most)
        return least;
    if (most <= (int)(sizeof tens / sizeof *tens)) {
        if (value >= tens[most - 1])
            return most;
        if (value < tens[most - 1] - 1)
            return most - 1;
    }
    return __raddle_choice(2) ? most - 1 : most;
}

/* Where the parts of a number stand. */
typedef struct {
    int sign, whole, rest; /* characters before the digits, digits, and the point and what follows */
    int exponent;          /* of those the last ones, behind an e */
} shape;

static shape shape_of(char letter, const format *f, double value, int exponent) {
    int precision = f->precision < 0 ? 6 : f->precision;
    int rest = precision != 0 || f->other ? 1 + precision : 0;
    if (letter == 'f' || letter == 'F')
        return (shape){0, whole_digits(value, exponent), rest, 0};
    /* From 1e100 on, which lies above 2^332, and below 1e-99, above 2^-329, the exponent has three digits. */
    int three = exponent >= 333 || exponent <= -330 || ((exponent == 332 || exponent == -329) && __raddle_choice(2));
    if (letter == 'e' || letter == 'E')
        return (shape){0, 1, rest + 4 + three, 4 + three};
    /* All but zeros at the end, or some of it; an exponent, or zeros before the first digit. */
    if (precision == 0)
        precision = 1;
    size_t most = (size_t)precision + 6, length = (size_t)__raddle_input_u64();
    return (shape){0, length < 1 ? 1 : length > most ? (int)most : (int)length, 0, 0};
}

enum { MOST_BEHIND = 20 };

/* Writes a number as f does: bits of a double below 2^63 without its sign. Gives the length.
 *
 * What is behind the point is a fraction of 2^128 in two words. Ten times it gives a digit and what is left; what is left at
 * last says whether to round up, or to an even digit if it is exactly one half. */
static int exact_text(char *text, unsigned long long bits, int precision, int point) {
    static const unsigned long long half = 1ull << 63, lower = 0xffffffffu;
    int exponent = (int)(bits >> 52) - 1023, down = 52 - exponent;
    /* Numbers without the leading one are so small that they have no digits here. */
    unsigned long long mantissa = (bits & 0xfffffffffffffull) | 1ull << 52;
    unsigned long long whole = 0, high = 0, low = 0;
    if (down <= 0) {
        whole = mantissa << -down;
    } else if (down <= 64) {
        whole = down < 64 ? mantissa >> down : 0;
        high = mantissa << (64 - down);
    } else if (down < 128) {
        high = mantissa >> (down - 64);
        low = mantissa << (128 - down);
    }
    char behind[MOST_BEHIND];
    for (int i = 0; i < precision; i++) {
        unsigned long long a = (low & lower) * 10, b = (low >> 32) * 10 + (a >> 32);
        unsigned long long c = (high & lower) * 10 + (b >> 32), d = (high >> 32) * 10 + (c >> 32);
        low = b << 32 | (a & lower);
        high = d << 32 | (c & lower);
        behind[i] = (char)('0' + (d >> 32));
    }
    _Bool odd = precision ? behind[precision - 1] & 1 : whole & 1;
    _Bool up = high > half || (high == half && (low != 0 || odd));
    for (int i = precision - 1; i >= 0 && up; i--) {
        up = behind[i] == '9';
        behind[i] = up ? '0' : (char)(behind[i] + 1);
    }
    whole += up;
    char before[20];
    int at = sizeof before, length = 0;
    do {
        before[--at] = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole != 0);
    while (at < (int)sizeof before)
        text[length++] = before[at++];
    if (point)
        text[length++] = '.';
    for (int i = 0; i < precision; i++)
        text[length++] = behind[i];
    return length;
}

/* If digits are not exact they are any; how many there are is known. */
static void put_float(output *out, char letter, const format *f, double value) {
    union {
        double value;
        unsigned long long bits;
    } parts = {value};
    int exponent = (int)(parts.bits >> 52 & 2047) - 1023;
    _Bool negative = parts.bits >> 63;
    const char *sign = negative ? "-" : f->plus ? "+" : f->space ? " " : "";
    if (exponent == 1024) {
        _Bool small = letter >= 'a', number = (parts.bits & 0xfffffffffffffull) == 0;
        format plain = *f;
        plain.zeros = 0;
        put_field(out, &plain, sign, number ? (small ? "inf" : "INF") : (small ? "nan" : "NAN"), 3);
        return;
    }
    if ((letter == 'f' || letter == 'F') && exponent < 63 && f->precision <= MOST_BEHIND) {
        char text[21 + MOST_BEHIND];
        int precision = f->precision < 0 ? 6 : f->precision;
        int size = exact_text(text, parts.bits & ~(1ull << 63), precision, precision != 0 || f->other);
        put_field(out, f, sign, text, size);
        return;
    }
    if (value == 0)
        exponent = 0;
    shape s = shape_of(letter, f, negative ? -value : value, exponent);
    /* Less than 1, unless it is rounded up to that. */
    _Bool fraction = exponent < -1 || (exponent == -1 && __raddle_choice(2));
    s.sign = *sign != 0;
    int length = s.sign + s.whole + s.rest, fill = f->width > length ? f->width - length : 0;
    int first = f->left || f->zeros ? 0 : fill, behind = first + (f->zeros && !f->left ? fill : 0) + length;
    int point = behind - s.rest, mark = behind - s.exponent;
    for (int i = 0; i < length + fill && out->length + (size_t)i + 1 < out->room; i++) {
        char c = (char)('0' + __raddle_input_u8() % 10);
        if (i < first || i >= behind)
            c = ' ';
        else if (i < first + s.sign)
            c = *sign;
        else if (s.rest > s.exponent && i == point)
            c = '.';
        else if (s.exponent && i == mark)
            c = letter;
        else if (s.exponent && i == mark + 1)
            c = fraction ? '-' : '+';
        out->to[out->length + (size_t)i] = c;
    }
    out->length += (size_t)(length + fill);
}

static int is_float(char letter) {
    return letter == 'f' || letter == 'F' || letter == 'e' || letter == 'E' || letter == 'g' ||
           letter == 'G';
}

static void convert(output *out, char letter, const format *f, arguments *a) {
    if (is_float(letter)) {
        put_float(out, letter, f, __builtin_va_arg(a->list, double));
    } else if (letter == 'd' || letter == 'i') {
        long long value = next_signed(a, f->longs);
        unsigned long long size = value < 0 ? 0ull - (unsigned long long)value : value;
        format plain = *f;
        plain.other = 0;
        const char *sign = value < 0 ? "-" : f->plus ? "+" : f->space ? " " : "";
        put_number(out, &plain, sign, size, 10, 'a');
    } else if (letter == 'u') {
        put_number(out, f, "", next_unsigned(a, f->longs), 10, 'a');
    } else if (letter == 'x') {
        put_number(out, f, "", next_unsigned(a, f->longs), 16, 'a');
    } else if (letter == 'X') {
        put_number(out, f, "", next_unsigned(a, f->longs), 16, 'A');
    } else if (letter == 'o') {
        put_number(out, f, "", next_unsigned(a, f->longs), 8, 'a');
    } else if (letter == 'p') {
        uintptr_t address = (uintptr_t)__builtin_va_arg(a->list, void *);
        if (address)
            put_number(out, f, "0x", address, 16, 'a');
        else
            put_string(out, f, "(nil)");
    } else if (letter == 'c') {
        char c = (char)__builtin_va_arg(a->list, int);
        put_field(out, f, "", &c, 1);
    } else if (letter == 'm') {
        put_string(out, f, strerror(*__errno_location()));
    } else if (letter == 's') {
        put_string(out, f, __builtin_va_arg(a->list, const char *));
    } else if (letter == 'n') {
        int length = (int)out->length;
        __raddle_count_into(__builtin_va_arg(a->list, void *), f->longs, length, length);
    } else {
        __raddle_unsupported("this conversion of snprintf");
    }
}

int vsnprintf(char *to, size_t size, const char *text, va_list list) {
    output out = {to, size, 0};
    arguments all;
    __builtin_va_copy(all.list, list);
    for (; *text; text++) {
        if (*text != '%') {
            put(&out, *text);
        } else if (*++text == '%') {
            put(&out, '%');
        } else {
            format f = {0, 0, 0, 0, 0, 0, -1, 0};
            text = read_format(text, &f, &all);
            if (!*text)
                break;
            convert(&out, *text, &f, &all);
        }
    }
    /* The list is used up where it is passed by reference: who uses it again reads what is not there. */
    __builtin_va_copy(list, all.list);
    __builtin_va_end(all.list);
    if (size != 0)
        to[out.length < size ? out.length : size - 1] = 0;
    return (int)out.length;
}

int vsprintf(char *to, const char *text, va_list list) {
    return vsnprintf(to, (size_t)-1 >> 1, text, list);
}

int snprintf(char *to, size_t size, const char *text, ...) {
    va_list list;
    __builtin_va_start(list, text);
    int length = vsnprintf(to, size, text, list);
    __builtin_va_end(list);
    return length;
}

int sprintf(char *to, const char *text, ...) {
    va_list list;
    __builtin_va_start(list, text);
    int length = vsprintf(to, text, list);
    __builtin_va_end(list);
    return length;
}
