/* Libraries that are loaded while the program runs: dlfcn.h.
 *
 * Loading one may fail. What is in it nobody knows: a look for one of its names fails, or is UNKNOWN, so that all that
 * happens before is checked.
 * left out: what libraries do when they are loaded and closed; the use of a library that was closed.
 *
 * accesses: visible
 */
#include "any.h"

static _Thread_local _Bool failed;

static void *no_answer(void) {
    failed = 1;
    return NULL;
}

void *dlopen(const char *name, int flags) {
    static char library;
    if (name)
        read_text(name);
    return may_fail() ? no_answer() : &library;
}

void *dlsym(void *library, const char *name) {
    read_text(name);
    if (!may_fail())
        __raddle_unsupported("a name that is looked for in a library while the program runs (dlsym)");
    return no_answer();
}

void *dlvsym(void *library, const char *name, const char *version) {
    read_text(version);
    return dlsym(library, name);
}

int dlclose(void *library) { return (int)__raddle_choice(2); }

/* Once after each failure. */
char *dlerror(void) {
    _Bool told = failed;
    failed = 0;
    return told ? "cannot open shared object file: No such file or directory" : NULL;
}

/* What lies at an address: nothing that is known, or names. */
typedef struct {
    const char *file;
    void *start;
    const char *name;
    void *address;
} place;

int dladdr(const void *address, place *result) {
    if (may_fail())
        return 0;
    *result = (place){"program", __raddle_input_ptr(), NULL, NULL};
    return 1;
}

/* Calls that are under way: execinfo.h. */
int backtrace(void **to, int most) {
    int count = (int)any_up_to(most < 0 ? 0 : (size_t)most);
    for (int i = 0; i < count; i++)
        to[i] = __raddle_input_ptr();
    return count;
}

void *malloc(size_t size);

char **backtrace_symbols(void *const *from, int count) {
    __raddle_read_bytes(from, (size_t)count * sizeof *from);
    char **result = malloc((size_t)count * sizeof *result);
    for (int i = 0; result && i < count; i++)
        result[i] = "program(+0x1139) [0x555555555139]";
    return result;
}

void backtrace_symbols_fd(void *const *from, int count, int fd) {
    __raddle_read_bytes(from, (size_t)count * sizeof *from);
}
