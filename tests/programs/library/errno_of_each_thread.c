// args: --property assertions --property races
// expect: SAFE
// Each thread has its own errno.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *run(void *arg) {
    errno = EINVAL;
    return arg;
}

int main(void) {
    pthread_t t;
    errno = 0;
    pthread_create(&t, 0, run, 0);
    assert(errno == 0);
    pthread_join(t, 0);
    assert(errno == 0);
    return 0;
}
