/* Files that exactly one caller makes: open and shm_open with O_CREAT and O_EXCL, which serve as a lock.
 *
 * POSIX: the call makes the file, or fails if there is one. What this program made so, and has not removed or renamed
 * since, is there: nobody makes it again. All else may be there or not.
 * left out: another name of the same file (a link, a path that leads there in another way, a folder that was changed),
 * others who remove the file; more than 8 such files, names of more than 63 characters, and folders given by
 * descriptors (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"

enum { FILES = 8, TEXT = 64 };

/* Shared memory has names of its own. */
static struct {
    char kind; /* 0: there is none */
    char name[TEXT];
} made[FILES];

static _Bool is_made(int place, char kind, const char *path) {
    const char *name = made[place].name;
    unsigned i = 0;
    if (made[place].kind != kind)
        return 0;
    while (name[i] && name[i] == path[i])
        i++;
    return name[i] == path[i];
}

static void keep(char *name, const char *path) {
    unsigned i = 0;
    for (; path[i]; i++) {
        if (i == TEXT - 1)
            __raddle_unsupported("O_EXCL with a name of more than 63 characters");
        name[i] = path[i];
    }
    name[i] = 0;
}

int __raddle_make_exclusively(char kind, const char *path) {
    __raddle_atomic_begin();
    int found = FILES, free = FILES;
    for (int i = 0; i < FILES && found == FILES; i++) {
        if (made[i].kind == 0)
            free = free == FILES ? i : free;
        else if (is_made(i, kind, path))
            found = i;
    }
    if (found == FILES && free == FILES)
        __raddle_unsupported("more than 8 files that were made with O_EXCL");
    if (found == FILES) {
        keep(made[free].name, path);
        made[free].kind = kind;
    }
    __raddle_atomic_end();
    return found == FILES;
}

void __raddle_exclusive_removed(char kind, const char *path) {
    __raddle_atomic_begin();
    for (int i = 0; i < FILES; i++)
        if (is_made(i, kind, path))
            made[i].kind = 0;
    __raddle_atomic_end();
}
