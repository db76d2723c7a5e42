// args: --property assertions
// expect: SAFE
// Unnamed objects with their own storage.
#include <assert.h>

struct pair {
    int a, b;
};

static int sum(const struct pair *p) { return p->a + p->b; }

int main(void) {
    int *a = (int[]){1, 2, 3};
    a[1] = 20;
    assert(a[0] + a[1] + a[2] == 24);
    assert(sum(&(struct pair){.b = 4}) == 4);
    return 0;
}
