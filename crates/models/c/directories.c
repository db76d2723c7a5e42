/* Folders: dirent.h.
 *
 * A folder has any number of entries with any names of up to 15 characters. The entry that readdir
 * gives belongs to the folder's object and is overwritten by the next call for the same
 * folder, as in glibc; closedir ends it.
 * left out: longer names; "." and ".." always being there.
 *
 * accesses: visible
 */
#include "any.h"

enum { LONGEST = 15 };

typedef struct {
    unsigned long number;
    long offset;
    unsigned short length;
    unsigned char kind;
    char name[256];
} entry;

typedef struct {
    int fd;
    entry current;
} folder;

enum { offsetof_name = __builtin_offsetof(entry, name) };

folder *opendir(const char *path) {
    read_text(path);
    if (may_fail()) {
        fails();
        return NULL;
    }
    folder *result = __raddle_alloc(sizeof *result);
    result->fd = __raddle_fd_new(FD_OTHER);
    return result;
}

entry *readdir(folder *from) {
    entry *to = &from->current;
    unsigned end = __raddle_choice(3);
    if (end == 2)
        fails();
    if (end)
        return NULL;
    size_t length = 1 + any_up_to(LONGEST - 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = __raddle_input_u8();
        to->name[i] = c == 0 || c == '/' ? '_' : (char)c;
    }
    to->name[length] = 0;
    to->kind = __raddle_input_u8() & 15;
    to->number = (unsigned long)any_long();
    to->offset = any_long();
    to->length = (unsigned short)(offsetof_name + length + 1);
    return to;
}
entry *readdir64(folder *from) { return readdir(from); }

int close(int fd);

int closedir(folder *from) {
    close(from->fd);
    __raddle_free(from);
    return zero_or_fails();
}

folder *fdopendir(int fd) {
    if (may_fail()) {
        fails();
        return NULL;
    }
    folder *result = __raddle_alloc(sizeof *result);
    result->fd = fd;
    return result;
}

int readdir_r(folder *from, entry *to, entry **result) {
    entry *read = readdir(from);
    *result = read ? to : NULL;
    if (!read)
        return __raddle_choice(2) ? 1 + (int)(__raddle_input_u8() & 127) : 0;
    to->number = read->number;
    to->offset = read->offset;
    to->length = read->length;
    to->kind = read->kind;
    for (int i = 0; i <= LONGEST; i++)
        to->name[i] = read->name[i];
    return 0;
}

long telldir(folder *from) {
    (void)*(volatile int *)&from->fd;
    return any_long();
}
void seekdir(folder *from, long place) { (void)*(volatile int *)&from->fd; }

void rewinddir(folder *from) { (void)*(volatile int *)&from->fd; }
int dirfd(folder *from) { return from->fd; }
