// args: --property assertions
// expect: SAFE
// The bytes of an int, little end first.
#include <assert.h>

union word {
    unsigned number;
    unsigned char byte[4];
    short half[2];
};

int main(void) {
    union word w = {.number = 0x80040201u};
    assert(w.byte[0] == 1 && w.byte[1] == 2 && w.byte[2] == 4 && w.byte[3] == 0x80);
    assert(w.half[0] == 0x0201 && w.half[1] < 0);
    w.byte[3] = 0;
    assert(w.number == 0x00040201u);
    return 0;
}
