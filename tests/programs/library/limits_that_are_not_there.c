// sysconf says -1 where there is no limit; the size of memory must not be taken from that.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
    assert(sysconf(_SC_PAGESIZE) == 4096);
    assert(sysconf(_SC_GETPW_R_SIZE_MAX) > 0); //~ assertions
    return 0;
}
