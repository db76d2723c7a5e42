// Who receives from a queue into which nobody puts a message waits for ever; a full one lets senders wait.
// args: --property deadlocks
// expect: UNSAFE deadlocks
#include <fcntl.h>
#include <mqueue.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char byte;
    mqd_t queue = mq_open("/name", O_CREAT | O_RDWR, 0600, &attributes);
    if (queue == (mqd_t)-1)
        return 1;
    if (__VERIFIER_nondet_bool())
        mq_receive(queue, &byte, 1, 0); //~ deadlocks
    mq_send(queue, "a", 1, 0);
    mq_send(queue, "b", 1, 0); //~ deadlocks
    return 0;
}
