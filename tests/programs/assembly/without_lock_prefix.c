// args: --property assertions
// expect: UNKNOWN
// Without the prefix the addition is not atomic.
#include <assert.h>

int main(void) {
    int x = 1;
    __asm__ volatile("addl $1, %0" : "+m"(x));
    assert(x == 2);
    return 0;
}
