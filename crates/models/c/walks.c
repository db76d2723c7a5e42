/* Walks through folders: ftw.h.
 *
 * The caller's function is told of the folder itself and of up to two entries in it, with any names of at most 7
 * characters and any status, and ends the walk by a result that is not 0. The name is the library's: it is written anew
 * for each entry, and gone afterwards.
 * left out: more entries, folders in folders, longer names; that other calls of this program change what is there.
 *
 * accesses: visible
 */
#include "any.h"

enum { LONGEST = 7, STATUS = sizeof(void *) == 8 ? 144 : 88 };

void *malloc(size_t size);
void free(void *object);

typedef struct {
    int base, level;
} position;

typedef int (*told)(const char *path, const void *status, int kind);
typedef int (*told_more)(const char *path, const void *status, int kind, position *where);

static int tell(const char *path, int base, int level, told ask, told_more ask_more) {
    enum { KINDS = 7 };
    unsigned char status[STATUS];
    position where = {base, level};
    __raddle_fill(status, sizeof status);
    int kind = (int)__raddle_choice(KINDS);
    return ask ? ask(path, status, kind) : ask_more(path, status, kind, &where);
}

static int walk(const char *path, told ask, told_more ask_more) {
    size_t length = 0;
    while (path[length])
        length++;
    if (may_fail())
        return fails();
    char *name = malloc(length + LONGEST + 2);
    if (!name)
        return fails_with(ENOMEM);
    for (size_t i = 0; i <= length; i++)
        name[i] = path[i];
    int answer = tell(name, 0, 0, ask, ask_more);
    unsigned more = __raddle_choice(3);
    for (unsigned n = 0; n < more && answer == 0; n++) {
        size_t size = 1 + any_up_to(LONGEST - 1);
        name[length] = '/';
        for (size_t i = 0; i < size; i++) {
            unsigned char c = __raddle_input_u8();
            name[length + 1 + i] = c == 0 || c == '/' ? '_' : (char)c;
        }
        name[length + 1 + size] = 0;
        answer = tell(name, (int)length + 1, 1, ask, ask_more);
    }
    free(name);
    return answer;
}

int ftw(const char *path, told ask, int open) { return walk(path, ask, NULL); }
int nftw(const char *path, told_more ask, int open, int flags) { return walk(path, NULL, ask); }
int ftw64(const char *path, told ask, int open) { return walk(path, ask, NULL); }
int nftw64(const char *path, told_more ask, int open, int flags) { return walk(path, NULL, ask); }
