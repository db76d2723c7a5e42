// args: --property assertions
// expect: UNSAFE assertions
// The time of day can be set back.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec first, second;
    clock_gettime(CLOCK_REALTIME, &first);
    clock_gettime(CLOCK_REALTIME, &second);
    assert(second.tv_nsec < 1000000000);
    assert(second.tv_sec >= first.tv_sec); //~ assertions
    return 0;
}
