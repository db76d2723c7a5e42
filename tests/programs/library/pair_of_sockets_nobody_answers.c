// args: --property deadlocks
// expect: UNSAFE deadlocks
// Both ends wait for the other one to begin.
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

int ends[2];

void *serve(void *arg) {
    char c;
    read(ends[1], &c, 1); //~ deadlocks
    write(ends[1], "x", 1);
    return arg;
}

int main(void) {
    pthread_t t;
    char c;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    pthread_create(&t, 0, serve, 0);
    read(ends[0], &c, 1); //~ deadlocks
    pthread_join(t, 0);
    return 0;
}
