/* Named semaphores of semaphore.h.
 *
 * Names are compared by their text; opening one that is there gives the same object, until it was closed as often as opened: then the object
 * is gone, so that its use is found, and its value stays with the name. Nobody outside
 * of the program opens them, so that one that is not there yet begins with the given value. A name
 * that was unlinked is free again; who has its semaphore open keeps it.
 * left out: other processes, and what they left behind; more than 8 names (UNKNOWN); failures for want of
 * resources; the use of a semaphore that was closed, where leaks are checked.
 *
 * accesses: hidden
 */
#include "any.h"
#include "semaphore.h"

enum { NAMES = 8, TEXT = 32, CREATE = 0100, EXCLUSIVE = 0200, ENOENT = 2, EEXIST = 17 };

static struct {
    char name[TEXT]; /* empty: it was unlinked */
    sem_t *semaphore;
    unsigned opened;
    unsigned value; /* while nobody has it open */
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

static void add(unsigned at, const char *name, unsigned value) {
    if (at == NAMES)
        __raddle_unsupported("more than 8 named semaphores");
    unsigned i = 0;
    for (; name[i]; i++) {
        if (i == TEXT - 1)
            __raddle_unsupported("a semaphore with a name of more than 31 characters");
        named[at].name[i] = name[i];
    }
    named[at].name[i] = 0;
    named[at].value = value;
    count = at + 1;
}

/* The end of the program closes all: what is open then is no leak. */
static sem_t *object(unsigned at) {
    static sem_t store[NAMES];
    if (named[at].opened++ == 0) {
        _Bool leaks = __raddle_checking(LEAKS) || __raddle_checking(LOST_MEMORY);
        named[at].semaphore = leaks ? &store[at] : __raddle_alloc_zeroed(sizeof(sem_t));
        named[at].semaphore->value = named[at].value;
    }
    return named[at].semaphore;
}

sem_t *sem_open(const char *name, int flags, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, flags);
    unsigned mode = flags & CREATE ? __builtin_va_arg(list, unsigned) : 0;
    unsigned value = flags & CREATE ? __builtin_va_arg(list, unsigned) : 0;
    __builtin_va_end(list);
    (void)mode;
    read_text(name);
    sem_t *result = NULL;
    __raddle_atomic_begin();
    unsigned at = place_of(name);
    _Bool found = at < count;
    if (!found && flags & CREATE)
        add(at, name, value);
    _Bool refused = found ? flags & CREATE && flags & EXCLUSIVE : !(flags & CREATE);
    if (!refused)
        result = object(at);
    __raddle_atomic_end();
    return refused ? failed(found ? EEXIST : ENOENT) : result;
}

int sem_close(sem_t *semaphore) {
    _Bool found = 0;
    __raddle_atomic_begin();
    for (unsigned i = 0; i < count && !found; i++) {
        found = named[i].opened != 0 && named[i].semaphore == semaphore;
        if (found && --named[i].opened == 0) {
            named[i].value = semaphore->value;
            named[i].semaphore = NULL;
            if (!__raddle_checking(LEAKS) && !__raddle_checking(LOST_MEMORY))
                __raddle_free(semaphore);
        }
    }
    __raddle_atomic_end();
    return found ? 0 : fails_with(EINVAL);
}

int sem_unlink(const char *name) {
    read_text(name);
    __raddle_atomic_begin();
    unsigned at = place_of(name);
    _Bool found = at < count;
    if (found)
        named[at].name[0] = 0;
    __raddle_atomic_end();
    return found ? 0 : fails_with(ENOENT);
}
