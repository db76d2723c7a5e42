// args: --property assertions
// expect: UNSAFE assertions
// A read may give fewer bytes than were asked for.
#include <assert.h>
#include <unistd.h>

int main(void) {
    char pair[2];
    ssize_t got = read(0, pair, 2);
    assert(got <= 0 || got == 2); //~ assertions
    return 0;
}
