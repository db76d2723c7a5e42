// args: --property assertions
// expect: UNKNOWN
// fork is not modelled, and it is reached.
#include <assert.h>
#include <unistd.h>

int main(void) {
    int child = fork();
    assert(child >= -1);
    return 0;
}
