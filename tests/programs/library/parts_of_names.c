// args: --property assertions,memory
// expect: SAFE
// The two parts of a path, in its own memory or in nobody's; a list in which something is looked for.
#define _GNU_SOURCE
#include <assert.h>
#include <libgen.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_sign(const void *a, const void *b, void *sign) { return *(int *)sign * by_value(a, b); }

int main(void) {
    char path[] = "/a/b/", same[] = "/a/b/", none[] = "b";
    assert(strcmp(basename(path), "b") == 0 && path[4] == 0);
    assert(strcmp(dirname(same), "/a") == 0 && dirname(same) == same);
    assert(strcmp(dirname(none), ".") == 0);
    int numbers[3] = {1, 2}, key = 3, minus = -1;
    size_t count = 2;
    assert(!lfind(&key, numbers, &count, sizeof key, by_value));
    assert(lsearch(&key, numbers, &count, sizeof key, by_value) == &numbers[2] && count == 3);
    qsort_r(numbers, count, sizeof key, by_sign, &minus);
    assert(numbers[0] == 3 && numbers[2] == 1);
    return 0;
}
