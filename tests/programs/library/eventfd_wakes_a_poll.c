// args: --property races,assertions,deadlocks
// expect: SAFE
// poll without timeout waits for the event; the counter tells how often it was rung.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int bell, data;

void *run(void *arg) {
    uint64_t one = 1;
    data = 1;
    write(bell, &one, sizeof one);
    return arg;
}

int main(void) {
    pthread_t t;
    uint64_t count = 0;
    bell = eventfd(0, 0);
    if (bell < 0)
        return 1;
    pthread_create(&t, 0, run, 0);
    struct pollfd wanted = {bell, POLLIN, 0};
    if (poll(&wanted, 1, -1) == 1) {
        assert(wanted.revents == POLLIN && data == 1);
        assert(read(bell, &count, sizeof count) == 8 && count == 1);
    }
    pthread_join(t, 0);
    return 0;
}
