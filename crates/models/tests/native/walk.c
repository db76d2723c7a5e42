/* walks.c: names begin with the folder; the place of the last part and the depth are where the
 * native header has them. */
#define _GNU_SOURCE
#include "driver.h"
#include <ftw.h>
#include <string.h>

int model_nftw(const char *, __nftw_func_t, int, int);
int model_ftw(const char *, __ftw_func_t, int);

static int told;

static int tell_more(const char *path, const struct stat *status, int kind, struct FTW *where) {
    EXPECT(status && kind >= 0 && kind <= FTW_SLN, "%d", kind);
    EXPECT(strncmp(path, "folder", 6) == 0 && where->level == (path[6] == '/'), "'%s'", path);
    EXPECT(where->base == (path[6] == '/' ? 7 : 0) && strlen(path) <= 14, "'%s'", path);
    return ++told == 3 ? 7 : 0;
}

static int tell(const char *path, const struct stat *status, int kind) {
    (void)status, (void)kind;
    return path[0] == 'f' ? 5 : 6;
}

int main(void) {
    for (int i = 0; i < 200; i++) {
        told = 0;
        int answer = model_nftw("folder", tell_more, 4, 0);
        EXPECT(answer == -1 || answer == (told == 3 ? 7 : 0), "%d", answer);
        answer = model_ftw("folder", tell, 4);
        EXPECT(answer == -1 || answer == 5, "%d", answer);
    }
    return finish();
}
