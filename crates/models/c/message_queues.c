/* Message queues: mqueue.h.
 *
 * Names are compared by their text. Nobody outside of the program opens them: a queue that is not there yet is empty, and what is sent is received by
 * threads of this program. Messages of higher priority come first, those of the same one in their order. A full queue lets senders wait, an empty one
 * receivers. A queue whose name is gone lives on for those who have it open.
 * left out: other processes, and what they left behind; more than 4 queues, 10 messages in one, messages of more than 64 bytes,
 * names of more than 31 characters, mq_notify, poll of a queue (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"
#include "caller.h"

enum { QUEUES = 4, OPEN = 8, MOST = 10, BYTES = 64, NAME = 32 };
enum { CREATE = 0100, EXCLUSIVE = 0200, NONBLOCK = 04000, ACCESS = 3, READ = 0, WRITE = 1 };
enum { ENOENT = 2, EBADF = 9, EEXIST = 17, EMSGSIZE = 90 };

typedef struct {
    long flags, most, size, now, unused[4];
} attributes;

typedef struct {
    unsigned priority;
    size_t length;
    unsigned char data[BYTES];
} message;

/* Numbers in a queue are of messages that have not been received, in the order in which they will be. */
static struct {
    char name[NAME]; /* empty: it has none any more */
    long most, size;
    int count;
    message messages[MOST];
} queues[QUEUES];
static int made;

/* Who has a queue open: by their descriptors. */
static struct {
    int fd, queue;
    _Bool never_waits, receives, sends;
} opened[OPEN];
static int opens;

int strcmp(const char *a, const char *b);
int close(int fd);

/* In an atomic section. */
static int queue_named(const char *name) {
    for (int i = 0; i < made; i++)
        if (queues[i].name[0] && strcmp(queues[i].name, name) == 0)
            return i;
    return -1;
}

static int handle_of(int fd) {
    if (__raddle_fd_kind(fd) != FD_QUEUE)
        return -1;
    for (int i = opens - 1; i >= 0; i--)
        if (opened[i].fd == fd)
            return i;
    return -1;
}

static int new_queue(const char *name, const attributes *wanted) {
    int number = made, i = 0;
    if (number == QUEUES)
        __raddle_unsupported("more than 4 message queues in a run");
    for (; name[i]; i++) {
        if (i == NAME - 1)
            __raddle_unsupported("a message queue with a name of more than 31 characters");
        queues[number].name[i] = name[i];
    }
    queues[number].name[i] = 0;
    queues[number].most = wanted ? wanted->most : MOST;
    queues[number].size = wanted ? wanted->size : 8192;
    made = number + 1;
    return number;
}

static int new_handle(int queue, int flags) {
    int fd = __raddle_fd_new(FD_QUEUE);
    if (opens == OPEN)
        __raddle_unsupported("message queues that are opened more than 8 times");
    opened[opens].fd = fd;
    opened[opens].queue = queue;
    opened[opens].never_waits = (flags & NONBLOCK) != 0;
    opened[opens].receives = (flags & ACCESS) != WRITE;
    opened[opens].sends = (flags & ACCESS) != READ;
    opens++;
    return fd;
}

int mq_open(const char *name, int flags, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, flags);
    unsigned mode = flags & CREATE ? __builtin_va_arg(list, unsigned) : 0;
    const attributes *given = flags & CREATE ? __builtin_va_arg(list, const attributes *) : NULL;
    __builtin_va_end(list);
    (void)mode;
    read_text(name);
    attributes wanted = {0};
    if (given) {
        __raddle_read_bytes(given, sizeof wanted);
        wanted = *given;
        if (wanted.most <= 0 || wanted.size <= 0)
            return fails_with(EINVAL);
        if (wanted.most > MOST)
            __raddle_unsupported("a message queue of more than 10 messages");
    }
    if (name[0] != '/')
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    int queue = queue_named(name), error = 0, fd = -1;
    if (queue < 0 && !(flags & CREATE))
        error = ENOENT;
    else if (queue >= 0 && flags & CREATE && flags & EXCLUSIVE)
        error = EEXIST;
    else
        fd = new_handle(queue < 0 ? new_queue(name, given ? &wanted : NULL) : queue, flags);
    __raddle_atomic_end();
    return error ? fails_with(error) : fd;
}

int mq_close(int fd) { return handle_of(fd) < 0 ? fails_with(EBADF) : close(fd); }

int mq_unlink(const char *name) {
    read_text(name);
    __raddle_atomic_begin();
    int queue = queue_named(name);
    if (queue >= 0)
        queues[queue].name[0] = 0;
    __raddle_atomic_end();
    return queue >= 0 ? 0 : fails_with(ENOENT);
}

static void copy(unsigned char *to, const unsigned char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

/* Behind all messages of its priority or a higher one. */
static void put(int queue, const message *m) {
    int at = queues[queue].count;
    for (; at != 0 && queues[queue].messages[at - 1].priority < m->priority; at--)
        queues[queue].messages[at] = queues[queue].messages[at - 1];
    queues[queue].messages[at] = *m;
    queues[queue].count++;
}

static void take(int queue, message *to) {
    *to = queues[queue].messages[0];
    queues[queue].count--;
    for (int i = 0; i < queues[queue].count; i++)
        queues[queue].messages[i] = queues[queue].messages[i + 1];
}

/* One step that puts or takes, once it can be done; the error if it is not. A wait with a time may always
 * be in vain: `late` is its error, 0 that of a wait without. */
static int exchange(int handle, message *m, int sending, int late) {
    int queue = opened[handle].queue;
    __raddle_atomic_begin();
    _Bool ready = sending ? queues[queue].count < queues[queue].most : queues[queue].count != 0;
    if (!opened[handle].never_waits && !late)
        __raddle_block(ready || __raddle_cancel_pending());
    if (ready && sending)
        put(queue, m);
    else if (ready)
        take(queue, m);
    __raddle_atomic_end();
    if (ready)
        return 0;
    __raddle_cancel_point();
    return opened[handle].never_waits ? EAGAIN : late;
}

static int sends(int fd, const char *data, size_t length, unsigned priority, int late) {
    enum { PRIORITIES = 32768 };
    int handle = handle_of(fd);
    if (handle < 0 || !opened[handle].sends)
        return fails_with(EBADF);
    if (priority >= PRIORITIES)
        return fails_with(EINVAL);
    if (length > (size_t)queues[opened[handle].queue].size)
        return fails_with(EMSGSIZE);
    if (length > BYTES)
        __raddle_unsupported("a message of more than 64 bytes");
    message m;
    m.priority = priority;
    m.length = length;
    __raddle_read_bytes(data, length);
    copy(m.data, (const unsigned char *)data, length);
    int error = exchange(handle, &m, 1, late);
    return error ? fails_with(error) : 0;
}

static ssize_t receives(int fd, char *to, size_t room, unsigned *priority, int late) {
    int handle = handle_of(fd);
    if (handle < 0 || !opened[handle].receives)
        return fails_with(EBADF);
    if (room < (size_t)queues[opened[handle].queue].size)
        return fails_with(EMSGSIZE);
    message m;
    int error = exchange(handle, &m, 0, late);
    if (error)
        return fails_with(error);
    __raddle_give_bytes(to, m.data, m.length);
    if (priority)
        __raddle_give((int *)priority, (int)m.priority);
    return (ssize_t)m.length;
}

int mq_send(int fd, const char *data, size_t length, unsigned priority) {
    __raddle_cancel_point();
    return sends(fd, data, length, priority, 0);
}
ssize_t mq_receive(int fd, char *to, size_t room, unsigned *priority) {
    __raddle_cancel_point();
    return receives(fd, to, room, priority, 0);
}
int mq_timedsend(int fd, const char *data, size_t length, unsigned priority, const void *time) {
    __raddle_cancel_point();
    return sends(fd, data, length, priority, __raddle_time_is_valid(time) ? ETIMEDOUT : EINVAL);
}
ssize_t mq_timedreceive(int fd, char *to, size_t room, unsigned *priority, const void *time) {
    __raddle_cancel_point();
    return receives(fd, to, room, priority, __raddle_time_is_valid(time) ? ETIMEDOUT : EINVAL);
}

int mq_getattr(int fd, attributes *to) {
    int handle = handle_of(fd);
    if (handle < 0)
        return fails_with(EBADF);
    int queue = opened[handle].queue;
    attributes now = {opened[handle].never_waits ? NONBLOCK : 0, queues[queue].most, queues[queue].size,
                      queues[queue].count, {0}};
    __raddle_give_bytes(to, (const unsigned char *)&now, sizeof now);
    return 0;
}

int mq_setattr(int fd, const attributes *next, attributes *old) {
    int handle = handle_of(fd);
    if (handle < 0)
        return fails_with(EBADF);
    __raddle_read_bytes(next, sizeof *next);
    long flags = next->flags;
    if (old)
        mq_getattr(fd, old);
    opened[handle].never_waits = (flags & NONBLOCK) != 0;
    return 0;
}

int mq_notify(int fd, const void *tells) { __raddle_unsupported("mq_notify"); }
