/* Named semaphores of semaphore.h.
 *
 * Names are compared by their text; opening one that is there gives the same object. Nobody outside
 * of the program opens them, so that one that is not there yet begins with the given value. A name
 * that was unlinked is free again; who has its semaphore open keeps it.
 * left out: other processes, and what they left behind; more than 8 names (UNKNOWN); failures for want of
 * resources; the use of a semaphore that was closed.
 *
 * accesses: hidden
 */
#include "any.h"

enum { NAMES = 8, CREATE = 0100, EXCLUSIVE = 0200, ENOENT = 2, EEXIST = 17 };

typedef struct {
    unsigned value;
    unsigned rest[3];
} sem_t;

static struct {
    const char *name;
    sem_t *semaphore;
} named[NAMES];
static unsigned count;

int strcmp(const char *a, const char *b);

static sem_t *failed(int error) {
    fails_with(error);
    return NULL;
}

/* The place of a name, or the first one that was never used. */
static unsigned place_of(const char *name) {
    unsigned at = 0;
    while (at < count && strcmp(named[at].name, name) != 0)
        at++;
    return at;
}

sem_t *sem_open(const char *name, int flags, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, flags);
    unsigned mode = flags & CREATE ? __builtin_va_arg(list, unsigned) : 0;
    unsigned value = flags & CREATE ? __builtin_va_arg(list, unsigned) : 0;
    __builtin_va_end(list);
    (void)mode;
    __raddle_atomic_begin();
    unsigned at = place_of(name);
    _Bool found = at < count;
    if (!found && flags & CREATE) {
        if (at == NAMES)
            __raddle_unsupported("more than 8 named semaphores");
        static sem_t objects[NAMES];
        static char texts[NAMES][32];
        unsigned i = 0;
        for (; name[i]; i++) {
            if (i == 31)
                __raddle_unsupported("a semaphore with a name of more than 31 characters");
            texts[at][i] = name[i];
        }
        texts[at][i] = 0;
        named[at].name = texts[at];
        named[at].semaphore = &objects[at];
        objects[at].value = value;
        count = at + 1;
    }
    __raddle_atomic_end();
    if (!found && !(flags & CREATE))
        return failed(ENOENT);
    if (found && flags & CREATE && flags & EXCLUSIVE)
        return failed(EEXIST);
    return named[at].semaphore;
}

int sem_close(sem_t *semaphore) { return 0; }

int sem_unlink(const char *name) {
    __raddle_atomic_begin();
    unsigned at = place_of(name);
    _Bool found = at < count;
    if (found)
        named[at].name = "";
    __raddle_atomic_end();
    return found ? 0 : fails_with(ENOENT);
}
