// args: --property assertions
// expect: UNSAFE assertions
// Functions with the attribute run after main, those of higher priority and those of atexit first.
#include <assert.h>
#include <stdlib.h>

int step;

__attribute__((destructor(200))) static void last(void) {
    assert(step == 3); //~ assertions
}

__attribute__((destructor)) static void second(void) {
    assert(step == 1);
    step = 2;
}

static void first(void) {
    assert(step == 0);
    step = 1;
}

int main(void) {
    atexit(first);
    return 0;
}
