/* Environment variables.
 *
 * A variable that the program has not set is there or not, with a text of any content and length:
 * that is asked for when somebody looks for the first time, and stays so. setenv copies its text,
 * putenv takes the caller's own, so that it must live as long as the variable. Each of them may
 * fail, and does nothing then. POSIX lets getenv read what setenv, unsetenv, putenv and clearenv
 * write, so without a lock they race.
 * left out: environ itself is not given; a text that a later setenv overwrites; more than 16
 * variables, names of more than 63 characters, and what variables hold where leaks are checked
 * (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

enum { VARIABLES = 16, WORDS = 8 };

/* A name, in words, because two of them are compared often. */
typedef struct {
    unsigned long long words[WORDS];
} name;

/* What is known, in the order in which it became so. The value is null if there is no such variable. */
static struct {
    name name;
    char *value;
} known[VARIABLES];
static int count;
/* Variables of which nothing is known are not there. */
static _Bool cleared;

/* Stands for all variables: threads race by it. */
static char the_environment;

static void look(void) { (void)*(volatile char *)&the_environment; }
static void change(void) { the_environment = 0; }

/* The characters up to the first zero or '='; their number. */
static size_t read_name(name *to, const char *from) {
    size_t length = 0;
    for (int i = 0; i < WORDS; i++)
        to->words[i] = 0;
    for (; from[length] && from[length] != '='; length++) {
        if (length == sizeof *to - 1)
            __raddle_unsupported("the name of an environment variable with more than 63 characters");
        to->words[length / 8] |= (unsigned long long)(unsigned char)from[length] << length % 8 * 8;
    }
    return length;
}

static _Bool is_same(const name *a, const name *b) {
    for (int i = 0; i < WORDS; i++)
        if (a->words[i] != b->words[i])
            return 0;
    return 1;
}

/* Inside an atomic section: where the variable is, or -1. */
static int find(const name *wanted) {
    for (int i = 0; i < count; i++)
        if (is_same(&known[i].name, wanted))
            return i;
    return -1;
}

/* Inside an atomic section. */
static void remember(const name *of, char *value) {
    int at = find(of);
    if (at < 0) {
        if (count == VARIABLES)
            __raddle_unsupported("more than 16 environment variables");
        at = count++;
        known[at].name = *of;
    }
    known[at].value = value;
}

/* Where leaks are checked no text is kept: this stands for it. */
static char some_text;
static _Bool keeps_no_texts(void) { return __raddle_checking(LEAKS) || __raddle_checking(LOST_MEMORY); }

/* A variable that nobody in this program has set. */
static char *any_value(void) {
    enum { LONGEST = 131071 };
    if (__raddle_choice(2))
        return NULL;
    if (keeps_no_texts())
        return &some_text;
    size_t length = any_up_to(LONGEST);
    char *text = __raddle_alloc(length + 1);
    text[length] = 0;
    return text;
}

char *getenv(const char *text) {
    name wanted;
    size_t length = read_name(&wanted, text);
    look();
    if (length == 0 || text[length] != 0)
        return NULL;
    __raddle_atomic_begin();
    int at = find(&wanted);
    char *value = at >= 0 ? known[at].value : NULL;
    _Bool is_known = at >= 0 || cleared;
    __raddle_atomic_end();
    if (!is_known) {
        char *first = any_value();
        /* Another thread may have looked meanwhile. */
        __raddle_atomic_begin();
        at = find(&wanted);
        if (at < 0)
            remember(&wanted, first);
        value = at >= 0 ? known[at].value : first;
        __raddle_atomic_end();
    }
    if (value == &some_text)
        __raddle_unsupported("values of environment variables where leaks are checked");
    return value;
}

char *secure_getenv(const char *text) { return getenv(text); }

static char *copy_of(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    if (keeps_no_texts())
        return &some_text;
    char *copy = __raddle_alloc(length + 1);
    for (size_t i = 0; i <= length; i++)
        copy[i] = text[i];
    return copy;
}

static int set(const name *variable, char *value) {
    __raddle_atomic_begin();
    remember(variable, value);
    __raddle_atomic_end();
    return 0;
}

/* Whether something is wrong with a name, or there is no memory. */
static int refuses(const char *text, size_t length) {
    if (length == 0 || text[length] != 0)
        return fails_with(EINVAL);
    return may_fail() ? fails_with(ENOMEM) : 0;
}

int setenv(const char *text, const char *value, int overwrite) {
    name variable;
    size_t length = read_name(&variable, text);
    char *copy = copy_of(value);
    look();
    if (refuses(text, length) != 0)
        return -1;
    /* One that is there already is left as it is. */
    if (!overwrite && getenv(text))
        return 0;
    change();
    return set(&variable, copy);
}

int unsetenv(const char *text) {
    name variable;
    size_t length = read_name(&variable, text);
    change();
    if (length == 0 || text[length] != 0)
        return fails_with(EINVAL);
    return set(&variable, NULL);
}

/* The text itself becomes a part of the environment; without '=' the variable goes. */
int putenv(char *text) {
    name variable;
    size_t length = read_name(&variable, text);
    read_text(text + length);
    change();
    if (may_fail())
        return fails_with(ENOMEM);
    return set(&variable, text[length] ? text + length + 1 : NULL);
}

int clearenv(void) {
    change();
    __raddle_atomic_begin();
    count = 0;
    cleared = 1;
    __raddle_atomic_end();
    return 0;
}
