/* directories.c: what a program reads of entries is where the native header has it, and is something that a
 * folder could contain. */
#include "driver.h"
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

DIR *model_opendir(const char *);
struct dirent *model_readdir(DIR *);
int model_closedir(DIR *), model_dirfd(DIR *);
void model_rewinddir(DIR *);
int *model___errno_location(void);

static void is_entry(const struct dirent *e) {
    size_t length = strlen(e->d_name);
    EXPECT(length >= 1 && length < sizeof e->d_name, "%zu", length);
    EXPECT(!strchr(e->d_name, '/'), "'%s'", e->d_name);
    EXPECT(e->d_type <= 15, "%d", e->d_type);
    EXPECT(e->d_reclen >= offsetof(struct dirent, d_name) + length + 1, "%d", e->d_reclen);
    EXPECT(e->d_reclen <= sizeof *e, "%d", e->d_reclen);
}

int main(void) {
    int failed = 0, ended = 0;
    /* The model has 61 descriptors in a run. */
    for (int i = 0; i < 24; i++) {
        *model___errno_location() = 0;
        DIR *d = model_opendir(".");
        if (!d) {
            EXPECT(*model___errno_location() != 0, "a reason");
            continue;
        }
        EXPECT(model_dirfd(d) >= 0, "%d", model_dirfd(d));
        struct dirent *e;
        while (*model___errno_location() = 0, (e = model_readdir(d)))
            is_entry(e);
        failed += *model___errno_location() != 0;
        ended += *model___errno_location() == 0;
        model_rewinddir(d);
        model_closedir(d);
    }
    EXPECT(failed > 0 && ended > 0, "both ends: %d %d", failed, ended);
    return finish();
}
