// args: --property races
// expect: UNSAFE races
// sendmsg reads all pieces.
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

char head[4], body[4];

void *write_body(void *arg) {
    body[2] = 'x'; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct iovec pieces[2] = {{head, 4}, {body, 4}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    pthread_create(&t, 0, write_body, 0);
    sendmsg(fd, &message, 0); //~ races
    pthread_join(t, 0);
    return 0;
}
