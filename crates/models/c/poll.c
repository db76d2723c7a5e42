/* Waiting for descriptors: poll, select, epoll.
 *
 * A descriptor with data from outside may be ready or not, each time anew. One of a pipe or event
 * counter of this program is ready exactly if it is (descriptors.c), and a call without timeout
 * that looks at such ones only waits until one is. With EPOLLET epoll tells such a one only if something was written
 * to it, or its other end closed, since it was told last, or watched anew: who does not read all may wait for ever. With
 * EPOLLONESHOT a descriptor that was told is not told again before EPOLL_CTL_MOD.
 * left out: select that leaves a part of its time; priority data; POLLRDHUP; a wait for data from outside that lasts for ever; select with descriptors above 63, more
 * than 16 descriptors watched by epoll (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"
#include "caller.h"

enum { IN = 1, OUT = 4, ERR = 8, HUP = 16, NVAL = 32, EBADF = 9, EEXIST = 17, ENOENT = 2 };

/* What is to be told about a descriptor, of the events that are asked for. `outside` is set if
 * nobody in this program decides it. */
static int look(int fd, int wanted, _Bool *outside) {
    int kind = __raddle_fd_kind(fd);
    if (kind == FD_CLOSED)
        return NVAL;
    if (kind == FD_OTHER) {
        *outside = 1;
        return (int)__raddle_input_u8() & (wanted | ERR | HUP) & (IN | OUT | ERR | HUP);
    }
    if (kind == FD_QUEUE)
        __raddle_unsupported("a wait for a message queue in poll, select or epoll");
    if (kind == FD_TIMER || kind == FD_SIGNAL || kind == FD_INOTIFY) {
        *outside = 1;
        return (int)__raddle_choice(2) & wanted;
    }
    int found = __raddle_fd_has_data(fd) ? IN : 0;
    if (__raddle_fd_ready(fd, 1))
        found |= OUT;
    int left = __raddle_fd_is_left(fd);
    if (!left)
        return found & wanted;
    /* What Linux tells, asked or not: who reads a pipe that its writer has left hangs up, who writes to nobody
     * has an error. The end of a socket's data can be read. */
    if (kind == FD_PAIR)
        return ((found | IN) & wanted) | (left == 2 ? HUP : 0);
    return (found & wanted) | (kind == FD_PIPE_OUT ? ERR : HUP);
}

/* Inside an atomic section: no way on while nothing is ready and there is no timeout. */
static void wait_for(int ready, _Bool for_ever, _Bool outside) {
    if (!for_ever)
        return;
    if (outside)
        __raddle_assume(ready > 0);
    else
        __raddle_block(ready > 0 || __raddle_cancel_pending());
}

typedef struct {
    int fd;
    short wanted, found;
} poll_fd;

enum { MOST = 16 };

int poll(poll_fd *fds, unsigned long count, int timeout) {
    short found[MOST];
    int ready = 0;
    _Bool outside = 0;
    if (count > MOST)
        __raddle_unsupported("poll with more than 16 descriptors");
    __raddle_cancel_point();
    __raddle_signal_point();
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    for (unsigned long i = 0; i < count; i++) {
        found[i] = fds[i].fd < 0 ? 0 : (short)look(fds[i].fd, fds[i].wanted, &outside);
        ready += found[i] != 0;
    }
    wait_for(ready, timeout < 0, outside);
    __raddle_atomic_end();
    if (ready == 0)
        __raddle_cancel_point();
    for (unsigned long i = 0; i < count; i++)
        fds[i].found = found[i];
    return ready;
}

int ppoll(poll_fd *fds, unsigned long count, const void *time, const void *mask) {
    if (time && !__raddle_time_is_valid(time))
        return fails_with(EINVAL);
    return poll(fds, count, time ? 0 : -1);
}

/* Sets of descriptors, as far as they can be open. */
typedef unsigned long long fd_set;

static fd_set read_set(const fd_set *set) { return set ? *set : 0; }

static int wait_for_sets(int count, fd_set *in, fd_set *out, fd_set *errors, const void *time) {
    fd_set ask_in = read_set(in), ask_out = read_set(out), got_in = 0, got_out = 0;
    int ready = 0;
    _Bool outside = 0;
    if (time)
        __raddle_read_time(time);
    if (count > 64)
        __raddle_unsupported("select with descriptors above 63");
    __raddle_cancel_point();
    __raddle_signal_point();
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    for (int fd = 0; fd < count; fd++) {
        fd_set bit = 1ull << fd;
        int wanted = (ask_in & bit ? IN : 0) | (ask_out & bit ? OUT : 0);
        if (wanted == 0)
            continue;
        int found = look(fd, wanted, &outside);
        if (found & (ERR | HUP))
            found |= wanted;
        if (found & wanted & IN)
            got_in |= bit, ready++;
        if (found & wanted & OUT)
            got_out |= bit, ready++;
    }
    wait_for(ready, !time, outside);
    __raddle_atomic_end();
    if (ready == 0)
        __raddle_cancel_point();
    if (in)
        *in = got_in;
    if (out)
        *out = got_out;
    if (errors)
        *errors = 0;
    return ready;
}

/* The mask matters to handlers only, which are not modelled. */
int pselect(int count, fd_set *in, fd_set *out, fd_set *errors, const void *time, const void *mask) {
    return wait_for_sets(count, in, out, errors, time);
}

/* What is left of the time is written back: Linux does so, and POSIX allows it. */
int select(int count, fd_set *in, fd_set *out, fd_set *errors, long *time) {
    int ready = wait_for_sets(count, in, out, errors, time);
    if (time && __raddle_choice(2))
        time[0] = time[1] = 0;
    return ready;
}

typedef struct __attribute__((packed)) {
    unsigned events;
    unsigned long long data;
} event;

/* What epolls watch; an entry is free while its descriptor is -1. */
static struct {
    int epoll, fd;
    event event;
    unsigned changes; /* with EPOLLET: 1 + what had happened to the descriptor when it was told last; 0: never */
} watched[MOST];
static int entries;

int epoll_create1(int flags) { return may_fail() ? fails() : __raddle_fd_new(FD_EPOLL); }
int epoll_create(int size) { return epoll_create1(0); }

int epoll_ctl(int epoll, int command, int fd, event *change) {
    enum { ADD = 1, DELETE, MODIFY };
    if (__raddle_fd_kind(epoll) != FD_EPOLL || __raddle_fd_kind(fd) == FD_CLOSED)
        return fails_with(EBADF);
    event copy = {0, 0};
    if (command != DELETE)
        copy = *change;
    __raddle_atomic_begin();
    int at = 0;
    while (at < entries && (watched[at].epoll != epoll || watched[at].fd != fd))
        at++;
    _Bool found = at < entries;
    if (command == ADD && !found) {
        if (entries == MOST)
            __raddle_unsupported("more than 16 descriptors watched by epoll");
        watched[at].epoll = epoll;
        watched[at].fd = fd;
        entries++;
    }
    if (command == DELETE && found)
        watched[at].fd = -1;
    else if (found != (command == ADD)) {
        watched[at].event = copy;
        watched[at].changes = 0;
    }
    __raddle_atomic_end();
    if (command == ADD && found)
        return fails_with(EEXIST);
    return command != ADD && !found ? fails_with(ENOENT) : 0;
}

/* What is to be told of an entry, in the section that tells it. */
static int look_at_entry(int i, _Bool *outside) {
    const unsigned edges = 1u << 31, once = 1u << 30, all = ERR | HUP | IN | OUT;
    int fd = watched[i].fd;
    unsigned events = watched[i].event.events;
    if ((events & once) && !(events & all))
        return 0;
    if (events & edges) {
        unsigned changes = 1 + __raddle_fd_changes(fd);
        if (changes != 1 && changes == watched[i].changes)
            return 0;
        watched[i].changes = changes;
    }
    int found = look(fd, (int)events & (IN | OUT), outside);
    if (found && (events & once))
        watched[i].event.events = once;
    return found;
}

int epoll_wait(int epoll, event *events, int most, int timeout) {
    event told[MOST];
    int ready = 0;
    _Bool outside = 0;
    __raddle_cancel_point();
    __raddle_signal_point();
    if (__raddle_fd_kind(epoll) != FD_EPOLL || most <= 0)
        return fails_with(EINVAL);
    if (may_fail())
        return fails_with(EINTR);
    __raddle_atomic_begin();
    /* If not all that are ready have room, any of them come first. */
    int first = most < entries ? (int)__raddle_choice(MOST) % entries : 0;
    for (int n = 0; n < entries && ready < most; n++) {
        int i = n < entries - first ? first + n : first + n - entries;
        /* Closing a descriptor takes it off the list. */
        int fd = watched[i].fd;
        if (watched[i].epoll != epoll || fd < 0 || __raddle_fd_kind(fd) == FD_CLOSED)
            continue;
        int found = look_at_entry(i, &outside);
        if (found) {
            told[ready].events = (unsigned)found;
            told[ready++].data = watched[i].event.data;
        }
    }
    wait_for(ready, timeout < 0, outside);
    __raddle_atomic_end();
    if (ready == 0)
        __raddle_cancel_point();
    for (int i = 0; i < ready; i++)
        events[i] = told[i];
    return ready;
}

int epoll_pwait(int epoll, event *events, int most, int timeout, const void *mask) {
    return epoll_wait(epoll, events, most, timeout);
}
