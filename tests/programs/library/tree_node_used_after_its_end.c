// What tsearch gives is a node of the tree: it ends with tdelete.
// args: --property memory
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int order(const void *a, const void *b) { return strcmp(a, b); }

int main(void) {
    void *root = 0;
    char **b = tsearch("b", &root, order);
    tsearch("a", &root, order);
    tsearch("c", &root, order);
    char **again = tfind("b", &root, order);
    if (!again || **again != 'b')
        return 1;
    tdelete("b", &root, order);
    if (tfind("b", &root, order))
        return 1;
    return **b; //~ memory
}
