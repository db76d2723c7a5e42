// args: --property assertions
// expect: SAFE
// expect staged, context, unwinding: UNKNOWN (arithmetic in long double)
// The 64 bits of an x87 significand hold what a double does not.
#include <assert.h>

int main(void) {
    long double large = 9007199254740992.0L;
    assert(large + 1 != large && (double)large + 1 == (double)large);
    assert(-large < 0 && (long long)(large + 1) == 9007199254740993);
    return 0;
}
