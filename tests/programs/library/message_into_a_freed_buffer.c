// args: --property memory
// expect: UNSAFE memory
#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>

int main(void) {
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 4};
    char *buffer = malloc(4);
    mqd_t queue = mq_open("/name", O_CREAT | O_RDWR, 0600, &attributes);
    if (queue == (mqd_t)-1)
        return 1;
    mq_send(queue, "abc", 4, 0);
    free(buffer);
    return mq_receive(queue, buffer, 4, 0) < 0; //~ memory
}
