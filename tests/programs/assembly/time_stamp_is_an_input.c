// args: --property assertions
// expect: UNSAFE assertions
// The counter of the processor may have any value; a hidden variable keeps its own.
#include <assert.h>

int main(void) {
    unsigned low, high, x = 3;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    __asm__ volatile("" : "+r"(x));
    assert(x == 3);
    assert(low != 0); //~ assertions
    return 0;
}
