// args: --property assertions,memory
// expect: SAFE
// What a program sets it reads again; a variable that is there is kept by a setenv that does not overwrite.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    if (setenv("MODE", "fast", 1) != 0 || setenv("MODE", "slow", 0) != 0)
        return 1;
    assert(strcmp(getenv("MODE"), "fast") == 0);
    unsetenv("MODE");
    assert(!getenv("MODE"));
    static char text[] = "MODE=new";
    if (putenv(text) == 0) {
        text[5] = 'N';
        assert(strcmp(getenv("MODE"), "New") == 0);
    }
    return 0;
}
