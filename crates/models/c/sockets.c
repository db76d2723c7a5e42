/* Sockets: sys/socket.h, netinet/in.h, arpa/inet.h, netdb.h.
 *
 * Peers are outside of the program: every call may fail with any errno, what arrives is any
 * number of any bytes, addresses of peers are arbitrary. What is sent is read.
 * A pair of sockets (socketpair) is inside: it carries what was sent (descriptors.c).
 * left out: other peers in the same program: their data would order threads, so a program that both
 * waits for connections and connects is not modelled (UNKNOWN). A call that waits for a peer for
 * ever; control data of recvmsg, and flags of a pair of sockets (UNKNOWN); getaddrinfo gives at most two
 * addresses. recvfrom of a connected stream, which gives no address.
 *
 * accesses: visible
 */
#include "any.h"

enum { EBADF = 9, ADDRESS = 128 };

typedef struct address_info {
    int flags, family, type, protocol;
    unsigned length;
    void *address;
    char *name;
    struct address_info *next;
} address_info;

static int is_open(int fd) {
    if (__raddle_fd_kind(fd) != FD_CLOSED)
        return 1;
    fails_with(EBADF);
    return 0;
}

/* Both ends in one program? */
static void take_side(int client) {
    static _Bool sides[2];
    __raddle_atomic_begin();
    sides[client] = 1;
    _Bool both = sides[!client];
    __raddle_atomic_end();
    if (both)
        __raddle_unsupported("a program that both accepts connections and connects");
}

/* Families of the sockets that the program makes: AF_INET, AF_INET6, and others. */
enum { INET = 2, INET6 = 10, USES_INET = 1, USES_INET6 = 2, USES_OTHERS = 4 };
static unsigned char families;

/* Writes an address of a peer, cut to the room, if it is wanted. If all sockets are of one family of the
 * internet, so is the address: who does not set the length again before the next call is right then. */
static void give_address(void *address, unsigned *length) {
    if (!address)
        return;
    unsigned used = __atomic_load_n(&families, __ATOMIC_SEQ_CST), room = *length, size;
    unsigned short family = used == USES_INET ? INET : used == USES_INET6 ? INET6 : 0;
    if (family)
        size = family == INET ? 16 : 28;
    else
        size = __raddle_input_u8() & (ADDRESS - 1);
    __raddle_fill(address, size < room ? size : room);
    if (family && room >= sizeof family)
        *(unsigned short *)address = family;
    *length = size;
}

static int change(int fd) { return is_open(fd) ? zero_or_fails() : -1; }

int socket(int family, int type, int protocol) {
    unsigned char use = family == INET ? USES_INET : family == INET6 ? USES_INET6 : USES_OTHERS;
    __atomic_fetch_or(&families, use, __ATOMIC_SEQ_CST);
    return may_fail() ? fails() : __raddle_fd_new(FD_OTHER);
}

int bind(int fd, const void *address, unsigned length) {
    __raddle_read_bytes(address, length);
    return change(fd);
}

int listen(int fd, int backlog) {
    take_side(0);
    return change(fd);
}

int connect(int fd, const void *address, unsigned length) {
    __raddle_cancel_point();
    take_side(1);
    __raddle_read_bytes(address, length);
    return change(fd);
}

int accept4(int fd, void *address, unsigned *length, int flags) {
    __raddle_cancel_point();
    __raddle_signal_point();
    if (!is_open(fd))
        return -1;
    if (may_fail())
        return fails();
    give_address(address, length);
    return __raddle_fd_new(FD_OTHER);
}

int accept(int fd, void *address, unsigned *length) { return accept4(fd, address, length, 0); }

ssize_t read(int fd, void *data, size_t size);
ssize_t write(int fd, const void *data, size_t size);
ssize_t __raddle_write_without_signal(int fd, const void *data, size_t size);
int __raddle_pair_shutdown(int fd, int how);

int shutdown(int fd, int how) {
    return __raddle_fd_kind(fd) == FD_PAIR ? __raddle_pair_shutdown(fd, how) : change(fd);
}

/* A pair of sockets is read and written as a pipe is; 2: without SIGPIPE. */
static int is_pair(int fd, int flags) {
    enum { NOSIGNAL = 0x4000 };
    if (__raddle_fd_kind(fd) != FD_PAIR)
        return 0;
    if (flags & ~NOSIGNAL)
        __raddle_unsupported("flags for a pair of sockets");
    return flags & NOSIGNAL ? 2 : 1;
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
    int pair = is_pair(fd, flags);
    if (pair)
        return pair == 2 ? __raddle_write_without_signal(fd, data, size) : write(fd, data, size);
    __raddle_cancel_point();
    if (!is_open(fd))
        return -1;
    __raddle_read_bytes(data, size);
    return may_fail() ? fails() : (ssize_t)any_up_to(size);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const void *to, unsigned length) {
    if (to)
        __raddle_read_bytes(to, length);
    return send(fd, data, size, flags);
}

ssize_t recv(int fd, void *data, size_t size, int flags) {
    if (is_pair(fd, flags))
        return read(fd, data, size);
    __raddle_cancel_point();
    __raddle_signal_point();
    if (!is_open(fd))
        return -1;
    if (may_fail())
        return fails();
    size_t done = any_up_to(size);
    __raddle_fill(data, done);
    return (ssize_t)done;
}

ssize_t recvfrom(int fd, void *data, size_t size, int flags, void *from, unsigned *length) {
    ssize_t done = recv(fd, data, size, flags);
    if (done >= 0)
        give_address(from, length);
    return done;
}

typedef struct {
    void *start;
    size_t size;
} piece;

typedef struct {
    void *name;
    unsigned name_length;
    piece *pieces;
    size_t count;
    void *control;
    size_t control_length;
    int flags;
} message;

static void no_pair(int fd) {
    if (__raddle_fd_kind(fd) == FD_PAIR)
        __raddle_unsupported("messages through a pair of sockets");
}

ssize_t sendmsg(int fd, const message *m, int flags) {
    no_pair(fd);
    __raddle_cancel_point();
    if (!is_open(fd))
        return -1;
    if (m->name)
        __raddle_read_bytes(m->name, m->name_length);
    size_t all = 0;
    for (size_t i = 0; i < m->count; i++) {
        __raddle_read_bytes(m->pieces[i].start, m->pieces[i].size);
        all += m->pieces[i].size;
    }
    if (m->control)
        __raddle_read_bytes(m->control, m->control_length);
    return may_fail() ? fails() : (ssize_t)any_up_to(all);
}

/* Bytes go into the pieces in order, each full before the next begins. Control data may be a
 * descriptor, of which nothing would be known. */
ssize_t recvmsg(int fd, message *m, int flags) {
    no_pair(fd);
    __raddle_cancel_point();
    if (!is_open(fd))
        return -1;
    if (may_fail())
        return fails();
    if (m->control && m->control_length != 0)
        __raddle_unsupported("recvmsg with room for control data");
    ssize_t all = 0;
    for (size_t i = 0; i < m->count; i++) {
        size_t done = any_up_to(m->pieces[i].size);
        __raddle_fill(m->pieces[i].start, done);
        all += (ssize_t)done;
        if (done < m->pieces[i].size)
            break;
    }
    m->control_length = 0;
    m->flags = any_int();
    give_address(m->name, &m->name_length);
    return all;
}

int setsockopt(int fd, int level, int name, const void *value, unsigned length) {
    __raddle_read_bytes(value, length);
    return change(fd);
}

int getsockopt(int fd, int level, int name, void *value, unsigned *length) {
    if (change(fd) < 0)
        return -1;
    unsigned size = (unsigned)any_up_to(*length);
    __raddle_fill(value, size);
    *length = size;
    return 0;
}

static int name_of(int fd, void *address, unsigned *length) {
    if (change(fd) < 0)
        return -1;
    give_address(address, length);
    return 0;
}
int getsockname(int fd, void *address, unsigned *length) { return name_of(fd, address, length); }
int getpeername(int fd, void *address, unsigned *length) { return name_of(fd, address, length); }

/* The machine is little endian. */
unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned short ntohs(unsigned short x) { return htons(x); }
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }

static address_info *new_address(const address_info *hints) {
    address_info *info = __raddle_alloc_zeroed(sizeof *info);
    info->flags = hints ? hints->flags : 0;
    info->family = any_int();
    info->type = hints && hints->type ? hints->type : any_int();
    info->protocol = any_int();
    info->length = (unsigned)any_up_to(ADDRESS);
    info->address = __raddle_alloc(ADDRESS);
    return info;
}

int getaddrinfo(const char *node, const char *service, const address_info *hints,
                address_info **result) {
    enum { EAI_SYSTEM = -11 };
    if (node)
        read_text(node);
    if (service)
        read_text(service);
    if (may_fail()) {
        int error = -1 - (int)(__raddle_input_u8() & 15);
        if (error == EAI_SYSTEM)
            fails();
        return error;
    }
    address_info *info = new_address(hints);
    if (__raddle_choice(2))
        info->next = new_address(hints);
    *result = info;
    return 0;
}

/* Null, of which POSIX says nothing, is no list. */
void freeaddrinfo(address_info *info) {
    do {
        address_info *next = info->next;
        __raddle_free(info->address);
        __raddle_free(info);
        info = next;
    } while (info);
}

const char *gai_strerror(int error) { return "Temporary failure in name resolution"; }


static void any_text(char *to, unsigned size) {
    if (!to || size == 0)
        return;
    size_t length = any_up_to(size - 1 < 15 ? size - 1 : 15);
    __raddle_fill(to, length);
    to[length] = 0;
}

int getnameinfo(const void *address, unsigned length, char *host, unsigned host_size, char *service,
                unsigned service_size, int flags) {
    __raddle_read_bytes(address, length);
    if (may_fail())
        return -1 - (int)(__raddle_input_u8() & 15);
    any_text(host, host_size);
    any_text(service, service_size);
    return 0;
}
