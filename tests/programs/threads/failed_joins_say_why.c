// args: --property assertions --property deadlocks
// expect: SAFE
// Where misuse is not looked for, the calls fail as in glibc and the program goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t never;

void *run(void *arg) { return arg; }

int main(void) {
    pthread_t t, u;
    void *result = &t;
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    assert(pthread_join(never, &result) == ESRCH && pthread_detach(never) == ESRCH);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    assert(pthread_join(t, &result) == 0 && result == 0);
    assert(pthread_join(t, 0) == ESRCH && pthread_detach(t) == ESRCH);
    assert(pthread_detach(u) == 0);
    assert(pthread_join(u, 0) == EINVAL && pthread_detach(u) == EINVAL);
    return 0;
}
