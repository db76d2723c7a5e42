/* Patterns: fnmatch.h and regex.h.
 *
 * Whether a text matches is a choice; where, any positions inside it. A compiled expression owns memory until regfree,
 * so its use after that is found. Expressions may be wrong.
 * left out: what matches; an expression that fails for lack of memory while it is used.
 *
 * accesses: visible
 */
#include "any.h"

size_t strlen(const char *s);
void *malloc(size_t size);
void free(void *object);

enum { NO_MATCH = 1, NOSUB = 8 };

int fnmatch(const char *pattern, const char *text, int flags) {
    read_text(pattern);
    read_text(text);
    return __raddle_choice(2) ? NO_MATCH : 0;
}

/* As glibc lays it out. */
typedef struct {
    char *compiled;
    size_t size, used;
    unsigned long options;
    void *map, *table;
    size_t groups;
    unsigned bits;
} expression;

typedef struct {
    int start, end;
} match;

int regcomp(expression *to, const char *text, int flags) {
    read_text(text);
    to->compiled = NULL;
    to->groups = any_up_to(255);
    if (may_fail())
        return 1 + (int)(__raddle_input_u8() % 13);
    to->options = (unsigned long)flags;
    to->compiled = malloc(1);
    if (!to->compiled)
        return 12;
    *to->compiled = 0;
    return 0;
}

int regexec(const expression *e, const char *text, size_t count, match *found, int flags) {
    (void)*(const volatile char *)e->compiled;
    int length = (int)strlen(text);
    if (__raddle_choice(2))
        return NO_MATCH;
    for (size_t i = 0; !(e->options & NOSUB) && i < count; i++) {
        found[i].start = found[i].end = -1;
        if (i == 0 || (i <= e->groups && __raddle_choice(2))) {
            found[i].end = (int)any_up_to((size_t)length);
            found[i].start = (int)any_up_to((size_t)found[i].end);
        }
    }
    return 0;
}

void regfree(expression *e) {
    free(e->compiled);
    e->compiled = NULL;
}

size_t regerror(int error, const expression *e, char *to, size_t size) {
    static const char longest[] = "Unmatched [, [^, [:, [., or [=";
    for (size_t i = 0; i < sizeof longest && i < size; i++)
        to[i] = i + 1 == size ? 0 : longest[i];
    return sizeof longest;
}
