// args: --property assertions,memory
// expect: SAFE
// Who finds a variable finds it again, with the text that it had.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    if (getenv("LEVEL")) {
        assert(getenv("LEVEL"));
        if (getenv("LEVEL")[0] == '1')
            assert(getenv("LEVEL")[0] == '1');
    }
    return 0;
}
