// args: --property assertions
// expect: SAFE
// raise of a signal that ends the program does not return.
#include <assert.h>
#include <signal.h>

int main(void) {
    raise(SIGKILL);
    assert(0);
    return 0;
}
