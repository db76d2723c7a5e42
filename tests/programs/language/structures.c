// args: --property assertions
// expect: SAFE
// Assignment, nesting, passing and returning structures by value.
#include <assert.h>

struct point {
    int x, y;
};

struct box {
    struct point low, high;
    char name[3];
};

static struct point add(struct point a, struct point b) {
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct box grow(struct box b, int by) {
    b.high = add(b.high, (struct point){by, by});
    return b;
}

int main(void) {
    struct box b = {.low = {1, 2}, .high = {3, 4}, .name = "ab"};
    struct box c = grow(b, 10), *p = &c;
    assert(b.high.x == 3 && p->high.x == 13 && p->high.y == 14);
    assert(c.low.y == 2 && c.name[1] == 'b' && c.name[2] == 0);
    return 0;
}
