// args: --property assertions,memory
// expect: SAFE
// sscanf reads numbers and words, as many as match.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int x = 0, y = 0;
    char word[4];
    assert(sscanf("12 -3", "%d %d", &x, &y) == 2 && x == 12 && y == -3);
    assert(sscanf("ff:abcdef", "%x:%3s", &x, word) == 2 && x == 255 && strcmp(word, "abc") == 0);
    assert(sscanf("7x", "%d %d", &x, &y) == 1 && x == 7);
    assert(sscanf("", "%d", &x) == EOF);
    double part = 0;
    assert(sscanf("load 0.25", "load %lf", &part) == 1 && part == 0.25);
    return 0;
}
