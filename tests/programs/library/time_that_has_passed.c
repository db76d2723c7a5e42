// args: --property assertions
// args explore: --inputs 0,1
// expect: SAFE
// expect explore: BOUNDED (it tries a few times only)
// What programs compute with the times of this world does not overflow.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    long passed = (second.tv_sec - first.tv_sec) * 1000000000L + (second.tv_nsec - first.tv_nsec);
    assert(passed >= 0);
    time_t now = time(0), deadline = now + 3600;
    assert(deadline > now);
    clock_t begun = clock();
    assert((clock() - begun) * 1000 >= 0);
    return 0;
}
