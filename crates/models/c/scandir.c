/* scandir and what orders its entries: dirent.h.
 *
 * A list of any number of entries with any names of up to 15 characters (directories.c), each in memory of its own, in
 * the order that the caller's function demands: lists in another order are not considered. Entries that its filter does not
 * want are shown to it and dropped.
 * left out: longer names; equal names in one folder are not excluded; the order of equal entries; versionsort is
 * alphasort.
 *
 * accesses: visible
 */
#include "any.h"

typedef struct {
    unsigned long number;
    long offset;
    unsigned short length;
    unsigned char kind;
    char name[256];
} entry;

enum { NAME = __builtin_offsetof(entry, name), LONGEST = 15 };

void *malloc(size_t size);
void free(void *object);
int strcmp(const char *a, const char *b);

/* As large as its name needs. What malloc gives has any content already. */
static entry *any_entry(void) {
    size_t length = 1 + any_up_to(LONGEST - 1);
    entry *e = malloc(NAME + length + 1);
    if (!e)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = __raddle_input_u8();
        e->name[i] = c == 0 || c == '/' ? '_' : (char)c;
    }
    e->name[length] = 0;
    e->kind = __raddle_input_u8() & 15;
    e->number = (unsigned long)any_long();
    e->offset = any_long();
    e->length = (unsigned short)(NAME + length + 1);
    return e;
}

int scandir(const char *path, entry ***list, int (*select)(const entry *),
            int (*compare)(const entry **, const entry **)) {
    enum { MOST = 0x7fffffff };
    read_text(path);
    if (may_fail())
        return fails();
    size_t count = any_up_to(MOST);
    entry **found = malloc(count * sizeof *found);
    if (!found)
        return fails_with(ENOMEM);
    for (size_t i = 0; i < count;) {
        entry *e = any_entry();
        if (!e)
            return fails_with(ENOMEM);
        if (select && !select(e)) {
            free(e);
            continue;
        }
        found[i] = e;
        if (i && compare)
            __raddle_assume(
                compare((const entry **)&found[i - 1], (const entry **)&found[i]) <= 0);
        i++;
    }
    *list = found;
    return (int)count;
}

int alphasort(const entry **a, const entry **b) { return strcmp((*a)->name, (*b)->name); }
int versionsort(const entry **a, const entry **b) { return alphasort(a, b); }

#ifdef __x86_64__
int scandir64(const char *path, entry ***list, int (*select)(const entry *),
              int (*compare)(const entry **, const entry **)) {
    return scandir(path, list, select, compare);
}
int alphasort64(const entry **a, const entry **b) { return alphasort(a, b); }
#endif
