/* message_queues.c against the native queues: random sequences of calls that do not wait. */
#include "driver.h"
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <unistd.h>

mqd_t model_mq_open(const char *, int, ...);
int model_mq_close(mqd_t), model_mq_unlink(const char *);
int model_mq_send(mqd_t, const char *, size_t, unsigned), model_mq_getattr(mqd_t, struct mq_attr *);
ssize_t model_mq_receive(mqd_t, char *, size_t, unsigned *);
int *model___errno_location(void);

enum { SIZE = 16, MOST = 4 };

static mqd_t native, model;

static void same(const char *what, long a, long b) {
    EXPECT(a == b, "%s: %ld %ld", what, a, b);
    if (a < 0)
        EXPECT(errno == *model___errno_location(), "%s: errno %d %d", what, errno, *model___errno_location());
}

static void step(void) {
    char text[SIZE + 1], x[SIZE + 1], y[SIZE + 1];
    unsigned priority = below(4), of_x = 9, of_y = 9;
    struct mq_attr now, then;
    switch (below(4)) {
    case 0:
    case 1:
        random_string(text, SIZE);
        same("send", mq_send(native, text, strlen(text), priority),
             model_mq_send(model, text, strlen(text), priority));
        break;
    case 2: {
        memset(x, '#', sizeof x), memset(y, '#', sizeof y);
        size_t room = below(20) ? SIZE : SIZE - 1;
        same("receive", mq_receive(native, x, room, &of_x), model_mq_receive(model, y, room, &of_y));
        EXPECT(memcmp(x, y, sizeof x) == 0 && of_x == of_y, "%u %u", of_x, of_y);
        break;
    }
    default:
        same("getattr", mq_getattr(native, &now), model_mq_getattr(model, &then));
        EXPECT(now.mq_curmsgs == then.mq_curmsgs && now.mq_maxmsg == then.mq_maxmsg &&
                   now.mq_msgsize == then.mq_msgsize && now.mq_flags == then.mq_flags, "%ld %ld",
               now.mq_curmsgs, then.mq_curmsgs);
    }
}

int main(void) {
    struct mq_attr attributes = {.mq_maxmsg = MOST, .mq_msgsize = SIZE};
    char name[32];
    snprintf(name, sizeof name, "/raddle-test-%d", (int)getpid());
    int flags = O_CREAT | O_EXCL | O_RDWR | O_NONBLOCK;
    native = mq_open(name, flags, 0600, &attributes);
    while ((model = model_mq_open(name, flags, 0600, &attributes)) < 0 && *model___errno_location() != EEXIST) {
    }
    if (native < 0) {
        /* Not in every container: the model is used all the same. */
        fprintf(stderr, "no message queues here: %s\n", strerror(errno));
        EXPECT(model_mq_send(model, "a", 1, 0) == 0, "send");
        return finish();
    }
    same("unlink of another", mq_unlink("/raddle-test-none"), model_mq_unlink("/raddle-test-none"));
    for (int i = 0; i < 5000; i++)
        step();
    same("too long", mq_send(native, name, SIZE + 1, 0), model_mq_send(model, name, SIZE + 1, 0));
    same("close", mq_close(native), model_mq_close(model));
    same("closed", mq_send(native, "a", 1, 0), model_mq_send(model, "a", 1, 0));
    same("unlink", mq_unlink(name), model_mq_unlink(name));
    return finish();
}
