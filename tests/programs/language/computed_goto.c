// args: --property assertions
// expect: SAFE
// Addresses of labels as a tiny interpreter.
#include <assert.h>

static int run(const char *code) {
    static void *const table[] = {&&stop, &&increment, &&twice};
    int value = 1;
    goto *table[(int)*code];
increment:
    value++;
    goto *table[(int)*++code];
twice:
    value *= 2;
    goto *table[(int)*++code];
stop:
    return value;
}

int main(void) {
    assert(run("\1\2\2\1") == 9);
    return 0;
}
