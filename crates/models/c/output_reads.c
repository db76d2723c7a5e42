/* What output functions read: strings, blocks, the arguments of a format.
 *
 * Lowering calls these before an output function whose arguments it does not know to be string
 * literals (crates/frontend/src/lower/output.rs). A string ends at its zero or at the precision.
 * %n gives any number that the characters so far can be: what lowering has made out of a known format, or any at all.
 * left out: wide strings and numbered arguments in formats are not supported.
 *
 * accesses: visible
 */
#include "raddle.h"

typedef unsigned char byte;
typedef uintptr_t __attribute__((may_alias, aligned(1))) word;
typedef __builtin_va_list va_list;

/* At most so many characters; all of them if the number is negative. */
void __raddle_read_string(const char *s, int most) {
    for (int i = 0; (most < 0 || i < most) && s[i]; i++) {
    }
}

void __raddle_read_bytes(const void *block, size_t size) {
    const byte *at = block;
    for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word))
        (void)*(const volatile word *)at;
    for (; size != 0; size--)
        (void)*(const volatile byte *)at++;
}

/* The number of characters printed, or a failure. */
int __raddle_printed(int least, int most) {
    int count = (int)__raddle_input_u32();
    if (count < 0)
        return count;
    return count < least ? least : count > most ? most : count;
}

/* How many characters there were before a %n: -2 hh, -1 h, 0 int, 1 long, 2 long long. */
void __raddle_count_into(void *to, int longs, int least, int most) {
    int count = (int)(__raddle_input_u32() & 0x7fffffff);
    count = count < least ? least : count > most ? most : count;
    if (longs >= 2)
        *(long long *)to = count;
    else if (longs == 1)
        *(long *)to = count;
    else if (longs == 0)
        *(int *)to = count;
    else if (longs == -1)
        *(short *)to = (short)count;
    else
        *(signed char *)to = (signed char)count;
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

/* A width or a precision. */
static const char *read_size(const char *at, int *number, arguments *a) {
    if (*at != '*')
        return read_number(at, number);
    *number = __builtin_va_arg(a->list, int);
    return at + 1;
}

static void skip(char letter, int longs, arguments *a) {
    if (letter == 'f' || letter == 'F' || letter == 'e' || letter == 'E' || letter == 'g' ||
        letter == 'G' || letter == 'a' || letter == 'A') {
        if (longs == 3)
            (void)__builtin_va_arg(a->list, long double);
        else
            (void)__builtin_va_arg(a->list, double);
    } else if (letter == 'p') {
        (void)__builtin_va_arg(a->list, void *);
    } else if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' ||
               letter == 'o' || (letter == 'c' && longs == 0)) {
        if (longs == 2)
            (void)__builtin_va_arg(a->list, long long);
        else if (longs == 1)
            (void)__builtin_va_arg(a->list, long);
        else
            (void)__builtin_va_arg(a->list, int);
    } else if (letter != 'm' && letter != '%') {
        __raddle_unsupported("this conversion in a format");
    }
}

void __raddle_read_format(const char *at, va_list list) {
    arguments all;
    __builtin_va_copy(all.list, list);
    for (; *at; at++) {
        if (*at != '%')
            continue;
        at++;
        while (*at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '0' || *at == '\'')
            at++;
        int width, precision = -1, longs = 0, shorts = 0;
        at = read_size(at, &width, &all);
        if (*at == '.')
            at = read_size(at + 1, &precision, &all);
        for (;; at++) {
            if (*at == 'l')
                longs++;
            else if (*at == 'j' || *at == 'q')
                longs = 2;
            else if (*at == 'L')
                longs = 3;
            else if (*at == 'z' || *at == 't')
                longs = 1;
            else if (*at == 'h')
                shorts++;
            else
                break;
        }
        if (*at == 's' && longs == 0) {
            const char *text = __builtin_va_arg(all.list, const char *);
            if (__raddle_checking(MEMORY) || __raddle_checking(RACES))
                __raddle_read_string(text, precision);
        } else if (*at == 'n') {
            __raddle_count_into(__builtin_va_arg(all.list, void *), longs - shorts, 0, 0x7fffffff);
        } else {
            skip(*at, longs, &all);
        }
        if (!*at)
            break;
    }
    /* As in stdio_format.c. */
    __builtin_va_copy(list, all.list);
    __builtin_va_end(all.list);
}

void __raddle_read_arguments(const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    __raddle_read_format(format, list);
    __builtin_va_end(list);
}
