// args: --property assertions
// expect: SAFE
// Falling through, defaults in the middle, ranges, long case labels.
#include <assert.h>

static int f(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r += 1; /* fall through */
    default:
        r += 10; /* fall through */
    case 2:
        r += 100;
        break;
    case 5 ... 7:
        return 5;
    case -1:
        r = -1;
    }
    return r;
}

static int g(long long x) {
    switch (x) {
    case 1ll << 40:
        return 1;
    case 0:
        return 2;
    }
    return 3;
}

int main(void) {
    assert(f(1) == 111 && f(2) == 100 && f(3) == 110 && f(6) == 5 && f(-1) == -1);
    assert(g(1ll << 40) == 1 && g(0) == 2 && g(1) == 3);
    return 0;
}
