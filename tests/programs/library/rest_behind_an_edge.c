// With EPOLLET what is left after a read is not told again: the second wait never ends.
// args: --property deadlocks
// args explore: --inputs 0,1
// expect: UNSAFE deadlocks
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

int ends[2];

void *writer(void *arg) {
    return write(ends[1], "ab", 2) == 2 ? arg : ends;
}

int main(void) {
    pthread_t t;
    char letter;
    int epoll = epoll_create1(0);
    if (epoll < 0 || pipe(ends) != 0)
        return 0;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = ends[0]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    pthread_create(&t, 0, writer, 0);
    for (int i = 0; i < 2; i++) {
        if (epoll_wait(epoll, &event, 1, -1) != 1) //~ deadlocks
            return 0;
        if (read(ends[0], &letter, 1) != 1)
            return 0;
    }
    pthread_join(t, 0);
    return 0;
}
