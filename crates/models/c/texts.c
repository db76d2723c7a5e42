/* Texts of the library: messages for errors and signals, locales, translations.
 *
 * Messages have the text of the longest one of glibc, so that buffers that are too short for
 * some message are found.
 * left out: other texts; a locale other than "C" changes nothing (its name is what was asked for);
 * translations are the originals; strerror never overwrites an earlier message, as in glibc.
 *
 * accesses: visible
 */
#include "any.h"

static const char longest[] = "Invalid or incomplete multibyte or wide character";

char *strerror(int error) { return (char *)longest; }
char *strerror_r(int error, char *to, size_t size) { return (char *)longest; }
char *strsignal(int number) { return "Memory paging error"; }

int __xpg_strerror_r(int error, char *to, size_t size) {
    enum { LENGTH = sizeof longest };
    if (size == 0)
        return ERANGE;
    size_t room = size < LENGTH ? size : LENGTH;
    for (size_t i = 0; i < room; i++)
        to[i] = longest[i];
    to[room - 1] = 0;
    return size < LENGTH ? ERANGE : 0;
}

char *setlocale(int category, const char *name) {
    if (!name)
        return "C";
    read_text(name);
    if (may_fail())
        return NULL;
    __raddle_new_encoding(category, name);
    return *name ? (char *)name : "C";
}

char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) { return (char *)text; }
char *ngettext(const char *one, const char *many, unsigned long n) {
    return (char *)(n == 1 ? one : many);
}
char *textdomain(const char *domain) { return domain ? (char *)domain : "messages"; }
char *bindtextdomain(const char *domain, const char *folder) { return (char *)folder; }
char *bind_textdomain_codeset(const char *domain, const char *set) { return (char *)set; }

/* Locales that are objects: all are "C". */
typedef struct {
    char name;
} locale;
static locale global;
static _Thread_local locale *own = &global;
void *malloc(size_t size);
void free(void *object);
locale *newlocale(int categories, const char *name, locale *base) {
    read_text(name);
    if (may_fail()) {
        fails();
        return NULL;
    }
    return base ? base : malloc(sizeof(locale));
}
locale *duplocale(locale *original) {
    if ((long)original != -1)
        must_exist(original);
    return malloc(sizeof(locale));
}
void freelocale(locale *object) { free(object); }
/* LC_GLOBAL_LOCALE is -1. */
locale *uselocale(locale *next) {
    locale *before = own;
    if (next)
        own = (long)next == -1 ? &global : next;
    return before == &global ? (locale *)-1 : before;
}
char *nl_langinfo(int item) { return "ANSI_X3.4-1968"; }
