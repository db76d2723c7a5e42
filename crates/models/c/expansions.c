/* Names and words that a pattern stands for: glob.h and wordexp.h.
 *
 * Any number of texts of any content and up to 15 characters, or a failure; they belong to the result until globfree or wordfree, so a use after that is found.
 * left out: which names match, and longer ones; the order of names; results that are added to earlier ones, and the functions of
 * the caller that open folders or hear of errors (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

enum { LONGEST = 15, MOST = 0xffff };

void *malloc(size_t size);
void free(void *object);

/* As glibc lays them out. */
typedef struct {
    size_t count;
    char **texts;
    size_t reserved;
    int flags;
    void *functions[5];
} matches;

typedef struct {
    size_t count;
    char **texts;
    size_t reserved;
} words;

static char *any_text(void) {
    size_t length = any_up_to(LONGEST);
    char *text = malloc(length + 1);
    if (text)
        text[length] = 0;
    for (size_t i = 0; text && i < length; i++) {
        unsigned char c = __raddle_input_u8();
        text[i] = c ? (char)c : '_';
    }
    return text;
}

/* The texts, after as many null pointers as are wanted and before one; 0 if there is no memory. */
static int any_texts(size_t *count, char ***texts, size_t reserved, size_t least) {
    size_t wanted = least + any_up_to(MOST);
    char **list = malloc((reserved + wanted + 1) * sizeof *list);
    *count = 0;
    *texts = list;
    if (!list)
        return 0;
    for (size_t i = 0; i < reserved; i++)
        list[i] = NULL;
    list[reserved] = NULL;
    for (size_t i = 0; i < wanted; i++) {
        list[reserved + i] = any_text();
        if (!list[reserved + i])
            return 0;
        list[reserved + i + 1] = NULL;
        *count = i + 1;
    }
    return 1;
}

static void release(size_t count, char ***texts, size_t reserved) {
    for (size_t i = 0; *texts && i < count; i++)
        free((*texts)[reserved + i]);
    free(*texts);
    *texts = NULL;
}

int glob(const char *pattern, int flags, int (*failed)(const char *, int), matches *to) {
    enum { DOOFFS = 8, NOCHECK = 16, APPEND = 32, ALTDIRFUNC = 512, NOSPACE = 1, ABORTED, NOMATCH };
    read_text(pattern);
    if (failed || flags & (APPEND | ALTDIRFUNC))
        __raddle_unsupported("this use of glob");
    size_t reserved = flags & DOOFFS ? to->reserved : 0;
    to->reserved = reserved;
    to->flags = flags;
    to->count = 0;
    to->texts = NULL;
    if (may_fail())
        return ABORTED;
    if (!(flags & NOCHECK) && __raddle_choice(2))
        return NOMATCH;
    return any_texts(&to->count, &to->texts, reserved, 1) ? 0 : NOSPACE;
}

void globfree(matches *of) { release(of->count, &of->texts, of->reserved); }

int wordexp(const char *text, words *to, int flags) {
    enum { DOOFFS = 1, APPEND = 2, REUSE = 8, NOSPACE = 1 };
    read_text(text);
    if (flags & (APPEND | REUSE))
        __raddle_unsupported("this use of wordexp");
    size_t reserved = flags & DOOFFS ? to->reserved : 0;
    to->reserved = reserved;
    if (may_fail())
        return 1 + (int)(__raddle_input_u8() % 5);
    return any_texts(&to->count, &to->texts, reserved, 0) ? 0 : NOSPACE;
}

void wordfree(words *of) { release(of->count, &of->texts, of->reserved); }

#ifdef __x86_64__
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), matches *to) {
    return glob(pattern, flags, failed, to);
}
void globfree64(matches *of) { globfree(of); }
#endif
