// Who reads all that is there may wait for the next edge.
// args: --property deadlocks
// args explore: --inputs 0,1
// expect: SAFE
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int counter;

void *writer(void *arg) {
    eventfd_write(counter, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    eventfd_t count;
    int epoll = epoll_create1(0);
    counter = eventfd(0, 0);
    if (epoll < 0 || counter < 0)
        return 0;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = counter};
    epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event);
    pthread_create(&t, 0, writer, 0);
    if (epoll_wait(epoll, &event, 1, -1) != 1)
        return 0;
    eventfd_read(counter, &count);
    pthread_join(t, 0);
    return 0;
}
