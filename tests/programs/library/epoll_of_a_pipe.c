// args: --property races,assertions
// expect: SAFE
// epoll tells which descriptor is ready, by the data that was given with it.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

int ends[2], data;

void *run(void *arg) {
    data = 1;
    write(ends[1], "x", 1);
    return arg;
}

int main(void) {
    pthread_t t;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 42}, told;
    int epoll = epoll_create1(0);
    if (epoll < 0 || pipe(ends) != 0)
        return 1;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    pthread_create(&t, 0, run, 0);
    if (epoll_wait(epoll, &told, 1, 100) == 1)
        assert(told.data.u32 == 42 && data == 1);
    pthread_join(t, 0);
    return 0;
}
