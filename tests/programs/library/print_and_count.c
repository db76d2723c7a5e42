// args: --property assertions
// expect: SAFE
// The result of printf is how many characters there were, or a failure.
#include <assert.h>
#include <stdio.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int length = printf("text\n");
    assert(length < 0 || length == 5);
    length = fprintf(stderr, "%s: %5d%%", "name", -3);
    assert(length < 0 || length >= 12);
    length = printf("%.3s", __VERIFIER_nondet_bool() ? "longer" : "sh");
    assert(length <= 3);
    char room[8];
    int before = 0;
    assert(snprintf(room, sizeof room, "%d%n|", 42, &before) == 3 && before == 2);
    return 0;
}
