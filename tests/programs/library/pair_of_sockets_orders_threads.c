// args: --property races,assertions,deadlocks
// expect: SAFE
// What goes through a pair of sockets orders its ends, in both directions.
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

int ends[2], question, answer;

void *serve(void *arg) {
    char c;
    if (read(ends[1], &c, 1) != 1)
        return 0;
    answer = question + 1;
    send(ends[1], "x", 1, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    char c;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    pthread_create(&t, 0, serve, 0);
    question = 41;
    write(ends[0], "q", 1);
    if (recv(ends[0], &c, 1, 0) == 1)
        assert(answer == 42);
    pthread_join(t, 0);
    return 0;
}
