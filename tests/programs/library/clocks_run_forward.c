// args: --property assertions
// args explore: --inputs 0,1,5
// expect: SAFE
// expect explore: BOUNDED (it tries a few times only)
// A clock that cannot be set never goes back, whichever thread looks at it.
#include <assert.h>
#include <pthread.h>
#include <time.h>

struct timespec first;

void *look(void *arg) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    assert(now.tv_sec >= first.tv_sec);
    assert(now.tv_sec > first.tv_sec || now.tv_nsec >= first.tv_nsec);
    return arg;
}

int main(void) {
    pthread_t t;
    time_t start = time(0);
    clock_gettime(CLOCK_MONOTONIC, &first);
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    assert(time(0) >= start);
    return 0;
}
