// args: --property memory
// expect: UNSAFE memory
// A message that arrives is written to where the caller says, although another thread has freed it.
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>

char *buffer;

void *stop(void *arg) {
    free(buffer);
    return arg;
}

int main(void) {
    pthread_t t;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    buffer = malloc(1);
    struct iovec piece = {buffer, 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    pthread_create(&t, 0, stop, 0);
    recvmsg(fd, &message, 0); //~ memory
    pthread_join(t, 0);
    return 0;
}
