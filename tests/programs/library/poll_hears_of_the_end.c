// args: --property assertions,deadlocks
// expect: SAFE
// Who waits for a pipe is told when its writer has gone, without having asked for it.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

void *leave(void *arg) {
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t t;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, 0, leave, 0);
    struct pollfd one = {ends[0], POLLIN, 0};
    if (poll(&one, 1, -1) == 1)
        assert(one.revents == POLLHUP);
    pthread_join(t, 0);
    return 0;
}
