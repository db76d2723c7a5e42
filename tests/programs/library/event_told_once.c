// With EPOLLONESHOT an event is told once, and again after EPOLL_CTL_MOD; an edge is told again if there was another write.
// args: --property assertions
// args explore: --inputs 0,1
// expect: SAFE
#include <assert.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* -1: the call may always fail. */
static int ready(int epoll) {
    struct epoll_event event;
    return epoll_wait(epoll, &event, 1, 0);
}

static void look(unsigned how, int counter) {
    int epoll = epoll_create1(0);
    if (epoll < 0)
        return;
    struct epoll_event event = {.events = EPOLLIN | how, .data.fd = counter};
    epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event);
    int first = ready(epoll);
    assert(first != 0);
    if (first < 0)
        return;
    assert(ready(epoll) <= 0);
    if (how == EPOLLET)
        eventfd_write(counter, 1);
    else
        epoll_ctl(epoll, EPOLL_CTL_MOD, counter, &event);
    assert(ready(epoll) != 0);
}

int main(void) {
    int counter = eventfd(1, 0);
    if (counter < 0)
        return 0;
    look(EPOLLONESHOT, counter);
    look(EPOLLET, counter);
    return 0;
}
