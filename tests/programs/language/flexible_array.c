// args: --property assertions --property memory --property leaks
// expect: SAFE
// A structure with an array of any length at its end.
#include <assert.h>
#include <stdlib.h>

struct text {
    int length;
    char data[];
};

int main(void) {
    struct text *t = malloc(sizeof *t + 3);
    t->length = 3;
    for (int i = 0; i < t->length; i++)
        t->data[i] = (char)('a' + i);
    assert(t->data[2] == 'c');
    free(t);
    return 0;
}
