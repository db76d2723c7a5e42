// expect: BOUNDED
// Longer command lines are not looked at, and that is said.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc >= 1 && argv[argc] == 0);
    for (int i = 0; i < argc; i++)
        assert(argv[i] != 0);
    return 0;
}
