// A message is received after it was sent: what came before it is seen, and the highest priority comes first.
// expect: SAFE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static int data;
static mqd_t queue;

static void *run(void *argument) {
    data = 1;
    mq_send(queue, "a", 1, 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char byte;
    unsigned priority;
    queue = mq_open("/name", O_CREAT | O_RDWR, 0600, &attributes);
    if (queue == (mqd_t)-1)
        return 1;
    pthread_create(&thread, 0, run, 0);
    assert(mq_receive(queue, &byte, 1, &priority) == 1);
    assert(data == 1 && byte == 'a' && priority == 1);
    pthread_join(thread, 0);
    return 0;
}
