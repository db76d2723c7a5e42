// The names that a walk tells are gone after it.
// args: --property memory
// args explore: --inputs 0,1
// expect: UNSAFE memory
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stddef.h>

static const char *last;

static int tell(const char *path, const struct stat *status, int kind, struct FTW *where) {
    last = path + where->base;
    return status == NULL && kind;
}

int main(void) {
    if (nftw("folder", tell, 4, FTW_PHYS) != 0)
        return 1;
    return last[0] == 'x'; //~ memory
}
