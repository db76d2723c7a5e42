// args: --property assertions,memory,leaks
// expect: SAFE
// Memory for lines of a cache and for pages.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct line {
    _Alignas(64) int count;
};

int main(void) {
    struct line *lines = aligned_alloc(_Alignof(struct line), 2 * sizeof *lines);
    if (lines) {
        assert((uintptr_t)&lines[1] % 64 == 0);
        lines[1].count = 1;
    }
    void *page;
    if (posix_memalign(&page, 4096, 10) == 0) {
        assert((uintptr_t)page % 4096 == 0);
        free(page);
    }
    free(lines);
    return 0;
}
