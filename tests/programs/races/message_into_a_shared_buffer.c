// Two threads receive into the same buffer.
// args: --property races
// expect: UNSAFE races
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static char buffer[1];
static mqd_t queue;

static void *run(void *argument) {
    mq_receive(queue, buffer, 1, 0); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 1};
    queue = mq_open("/name", O_CREAT | O_RDWR, 0600, &attributes);
    if (queue == (mqd_t)-1)
        return 1;
    mq_send(queue, "a", 1, 0);
    pthread_create(&thread, 0, run, 0);
    return buffer[0]; //~ races
}
