/* Reading by format: scanf and its kin.
 *
 * sscanf reads its string as the standard says. From a stream any number of conversions succeed,
 * each with any value that its type holds, or EOF comes first.
 * Conversions d i u x o c s n, f e g (as strtod reads them), sets of characters and %%, assignments suppressed by *, widths, and the lengths hh h l ll
 * z t j. A string without width has any length, so it can leave its buffer: that is found.
 * left out: long double, m, pointers, and floating-point numbers with a width that cuts them off are not modelled (UNKNOWN);
 * what a number does that does not fit is undefined, here it wraps.
 *
 * accesses: visible
 */
#include "any.h"

typedef __builtin_va_list va_list;

double strtod(const char *text, char **end);
float strtof(const char *text, char **end);

typedef struct {
    va_list list;
} arguments;

/* Where characters come from: a string, or a stream, where they are not looked at one by one. */
typedef struct {
    const char *at; /* null for a stream */
    const char *start;
} source;

typedef struct {
    int suppressed;
    unsigned width; /* 0: none */
    int longs;      /* -2 hh, -1 h, 0 int, 1 long and other words, 2 long long */
    char letter;
    const char *set; /* behind the bracket and its ^ */
    int others;      /* the set is of all other characters */
} conversion;

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static const char *read_conversion(const char *at, conversion *c) {
    if (*at == '*') {
        c->suppressed = 1;
        at++;
    }
    while (*at >= '0' && *at <= '9')
        c->width = c->width * 10 + (unsigned)(*at++ - '0');
    for (;; at++) {
        if (*at == 'l')
            c->longs++;
        else if (*at == 'h')
            c->longs--;
        else if (*at == 'z' || *at == 't')
            c->longs = 1;
        else if (*at == 'j')
            c->longs = 2;
        else
            break;
    }
    c->letter = *at;
    if (*at != '[')
        return at;
    c->others = at[1] == '^';
    c->set = at += 1 + c->others;
    /* A bracket that comes first is a member. */
    for (int first = 1; *at && (first || *at != ']'); first = 0)
        at++;
    if (!*at)
        c->letter = 0;
    return at;
}

static int is_member(char letter, const conversion *c) {
    const char *at = c->set;
    int member = 0;
    for (int first = 1; *at && (first || *at != ']'); first = 0) {
        /* A range, unless the line is the last one. */
        if (at[1] == '-' && at[2] && at[2] != ']') {
            member |= (unsigned char)at[0] <= (unsigned char)letter &&
                      (unsigned char)letter <= (unsigned char)at[2];
            at += 3;
        } else {
            member |= *at++ == letter;
        }
    }
    return member != c->others;
}

static void store(arguments *a, const conversion *c, unsigned long long value) {
    if (c->suppressed)
        return;
    void *to = __builtin_va_arg(a->list, void *);
    if (c->longs >= 2)
        *(long long *)to = (long long)value;
    else if (c->longs == 1)
        *(long *)to = (long)value;
    else if (c->longs == 0)
        *(int *)to = (int)value;
    else if (c->longs == -1)
        *(short *)to = (short)value;
    else
        *(signed char *)to = (signed char)value;
}

/* The digit's value, or 99. */
static unsigned digit(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

/* Reads a number from the string; 0 if there is none. */
static int read_number(source *in, const conversion *c, unsigned long long *value) {
    unsigned base = c->letter == 'x' || c->letter == 'X' ? 16 : c->letter == 'o' ? 8 : 10;
    const char *at = in->at, *limit = c->width ? at + c->width : NULL;
    int negative = 0;
    _Bool some = 0;
    if (*at == '-' || *at == '+')
        negative = *at++ == '-';
    if ((base == 16 || c->letter == 'i') && *at == '0' && at != limit) {
        at++;
        some = 1;
        if (at != limit && (*at == 'x' || *at == 'X')) {
            at++;
            base = 16; /* 0x alone is 0 in glibc */
        } else if (c->letter == 'i') {
            base = 8;
        }
    }
    *value = 0;
    for (; at != limit && digit(*at) < base; at++, some = 1)
        *value = *value * base + digit(*at);
    if (negative)
        *value = 0 - *value;
    in->at = at;
    return some;
}

static int is_float(char letter) {
    return letter == 'f' || letter == 'e' || letter == 'g' || letter == 'F' || letter == 'E' || letter == 'G';
}

static void store_float(arguments *a, const conversion *c, double value) {
    if (c->suppressed)
        return;
    if (c->longs == 1)
        *__builtin_va_arg(a->list, double *) = value;
    else
        *__builtin_va_arg(a->list, float *) = (float)value;
}

/* Text that could be more of a number ("1e", "0x") is taken by scanf and not by strtod. */
static int read_float(source *in, arguments *a, const conversion *c) {
    char *end;
    double value = c->longs == 1 ? strtod(in->at, &end) : (double)strtof(in->at, &end);
    if (end == in->at)
        return 0;
    if ((c->width && (size_t)(end - in->at) > c->width) || *end == 'e' || *end == 'E')
        __raddle_unsupported("a floating-point number of scanf that is cut off");
    in->at = end;
    store_float(a, c, value);
    return 1;
}

/* One conversion from a string; 0 if it does not match. */
static int from_string(source *in, arguments *a, const conversion *c) {
    char letter = c->letter;
    if (letter == 'c') {
        unsigned count = c->width ? c->width : 1;
        char *to = c->suppressed ? NULL : __builtin_va_arg(a->list, char *);
        for (unsigned i = 0; i < count; i++, in->at++) {
            if (!*in->at)
                return i != 0; /* glibc is content with fewer */
            if (to)
                to[i] = *in->at;
        }
    } else if (letter == 's' || letter == '[') {
        char *to = c->suppressed ? NULL : __builtin_va_arg(a->list, char *);
        unsigned length = 0;
        for (; *in->at && (!c->width || length < c->width); in->at++) {
            if (letter == 's' ? is_space(*in->at) : !is_member(*in->at, c))
                break;
            if (to)
                to[length] = *in->at;
            length++;
        }
        if (length == 0)
            return 0;
        if (to)
            to[length] = 0;
    } else if (is_float(letter)) {
        return read_float(in, a, c);
    } else {
        unsigned long long value;
        if (!read_number(in, c, &value))
            return 0;
        store(a, c, value);
    }
    return 1;
}

/* The same from a stream. */
static int from_stream(arguments *a, const conversion *c) {
    if (c->letter == 'c' || c->letter == 's' || c->letter == '[') {
        char *to = c->suppressed ? NULL : __builtin_va_arg(a->list, char *);
        if (!to)
            return 1;
        if (c->letter == 'c') {
            __raddle_fill(to, c->width ? c->width : 1);
            return 1;
        }
        size_t length = 1 + any_up_to((c->width ? c->width : ~(size_t)0 >> 2) - 1);
        for (size_t i = 0; i < length; i++) {
            unsigned char letter = __raddle_input_u8();
            if (c->letter == '[')
                __raddle_assume(letter != 0 && is_member((char)letter, c));
            else if (letter <= ' ')
                letter = '!';
            to[i] = (char)letter;
        }
        to[length] = 0;
    } else if (is_float(c->letter)) {
        union {
            unsigned long long bits;
            double value;
        } any = {__raddle_input_u64()};
        store_float(a, c, any.value);
    } else {
        store(a, c, __raddle_input_u64());
    }
    return 1;
}

static int is_known(char letter) {
    return letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' ||
           letter == 'o' || letter == 'c' || letter == 's' || letter == '[' || is_float(letter);
}

static int scan(source *in, const char *format, va_list list) {
    arguments a;
    __builtin_va_copy(a.list, list);
    int done = 0;
    for (; *format; format++) {
        if (is_space(*format)) {
            while (in->at && is_space(*in->at))
                in->at++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                while (in->at && is_space(*in->at))
                    in->at++;
            }
            if (in->at && !*in->at && done == 0)
                return -1;
            if (in->at ? *in->at++ != *format : __raddle_choice(2) != 0)
                return done;
            continue;
        }
        conversion c = {0, 0, 0, 0, NULL, 0};
        format = read_conversion(format + 1, &c);
        if (c.letter == 'n') {
            if (!in->at)
                __raddle_unsupported("%n in scanf from a stream");
            store(&a, &c, (unsigned long long)(in->at - in->start));
            continue;
        }
        if (!is_known(c.letter))
            __raddle_unsupported("this conversion of scanf");
        if (in->at) {
            while (c.letter != 'c' && c.letter != '[' && is_space(*in->at))
                in->at++;
            if (!*in->at)
                return done ? done : -1;
            if (!from_string(in, &a, &c))
                return done;
        } else {
            unsigned outcome = __raddle_choice(3);
            if (outcome == 0 && done == 0)
                return -1;
            if (outcome != 2)
                return done;
            from_stream(&a, &c);
        }
        done += !c.suppressed;
    }
    return done;
}

int vsscanf(const char *from, const char *format, va_list list) {
    source in = {from, from};
    return scan(&in, format, list);
}

extern void *stdin;

int vfscanf(void *file, const char *format, va_list list) {
    source in = {NULL, NULL};
    __raddle_stream_use(file);
    if (__raddle_in_memory(file))
        __raddle_unsupported("formatted input from a stream in memory");
    (void)__raddle_pushed_back(file);
    int done = scan(&in, format, list);
    if (done < 0)
        __raddle_stream_ends(file, may_fail());
    return done;
}
int vscanf(const char *format, va_list list) { return vfscanf(stdin, format, list); }

#define VARIADIC(name, parameters, call)                                                           \
    int name parameters {                                                                          \
        va_list list;                                                                              \
        __builtin_va_start(list, format);                                                          \
        int done = call;                                                                           \
        __builtin_va_end(list);                                                                    \
        return done;                                                                               \
    }

/* Headers of C99 and C23 call them by other names. */
#define FAMILY(prefix)                                                                             \
    VARIADIC(prefix##sscanf, (const char *from, const char *format, ...),                          \
             vsscanf(from, format, list))                                                          \
    VARIADIC(prefix##scanf, (const char *format, ...), vfscanf(stdin, format, list))               \
    VARIADIC(prefix##fscanf, (void *file, const char *format, ...), vfscanf(file, format, list))

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)
int __isoc99_vsscanf(const char *from, const char *format, va_list list) {
    return vsscanf(from, format, list);
}
int __isoc99_vfscanf(void *file, const char *format, va_list list) {
    return vfscanf(file, format, list);
}
