/* Streams: FILE as an object with a life, and what is known about it.
 *
 * fopen gives a new object or fails; fclose ends its life, also when it fails, so a stream that is
 * used later is a use of freed memory, whoever uses it. The standard streams can be closed, too.
 * Streams are safe to use from several threads at once: what is in here is never a race. flockfile
 * is a recursive lock.
 * The end of the program closes all streams (C 7.22.4.4), so an open one is no leak: where leaks
 * are checked streams are taken from a store of 32 instead of the heap.
 * left out: positions mean nothing (reading after fseek gives any content), a lock of flockfile does not keep other threads from using the stream.
 *
 * accesses: hidden
 */
#include "any.h"

typedef struct {
    _Bool open, from_store;
    _Bool end, error;
    int lock;       /* of flockfile, for the lock primitives */
    unsigned again; /* how many times more than once it is held */
    int fd;
    int pushed;   /* 1 + a character that was pushed back, or 0 */
    void *buffer; /* of setvbuf (stdio_buffer.c), or null */
} stream;

static stream streams[3] = {{.open = 1, .fd = 0}, {.open = 1, .fd = 1}, {.open = 1, .fd = 2}};
stream *stdin = &streams[0], *stdout = &streams[1], *stderr = &streams[2];

/* The size of fpos_t. */
enum { POSITION = sizeof(long) == 8 ? 16 : 12 };

void __raddle_stream_use(void *file) {
    stream *s = file;
    __raddle_check(MEMORY, s->open, "the stream is closed already");
    __raddle_buffer_use(file);
}

void **__raddle_stream_buffer(void *file) { return &((stream *)file)->buffer; }

void __raddle_stream_ends(void *file, int error) {
    stream *s = file;
    if (error)
        s->error = 1;
    else
        s->end = 1;
}

int __raddle_stream_push(void *file, int c) {
    stream *s = file;
    __raddle_atomic_begin();
    _Bool room = s->pushed == 0;
    if (room) {
        s->pushed = 1 + c;
        s->end = 0;
    }
    __raddle_atomic_end();
    return room;
}

int __raddle_stream_pop(void *file) {
    stream *s = file;
    __raddle_atomic_begin();
    int pushed = s->pushed;
    s->pushed = 0;
    __raddle_atomic_end();
    return pushed;
}

static stream *new_stream(void) {
    if (!__raddle_checking(LEAKS) && !__raddle_checking(LOST_MEMORY))
        return __raddle_alloc_zeroed(sizeof(stream));
    static stream store[32];
    static unsigned taken;
    __raddle_atomic_begin();
    unsigned number = taken;
    if (number == 32)
        __raddle_unsupported("more than 32 streams where leaks are checked");
    taken = number + 1;
    __raddle_atomic_end();
    store[number].from_store = 1;
    return &store[number];
}

static stream *open_stream(int fd) {
    stream *s = new_stream();
    s->open = 1;
    s->fd = fd;
    return s;
}

static stream *opened(void) {
    if (may_fail()) {
        fails();
        return NULL;
    }
    return open_stream(__raddle_fd_new(FD_OTHER));
}

/* For streams of other files. */
stream *__raddle_stream_new(void) { return open_stream(-1); }

stream *tmpfile(void) { return opened(); }

stream *fopen(const char *path, const char *mode) {
    read_text(path);
    read_text(mode);
    return opened();
}
stream *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
stream *popen(const char *command, const char *mode) { return fopen(command, mode); }

stream *fdopen(int fd, const char *mode) {
    read_text(mode);
    if (__raddle_fd_kind(fd) > FD_OTHER)
        __raddle_unsupported("a stream on a pipe of this program");
    if (may_fail()) {
        fails();
        return NULL;
    }
    return open_stream(fd);
}

int close(int fd);

int fclose(stream *s) {
    __raddle_stream_use(s);
    if (__raddle_in_memory(s))
        __raddle_memory_close(s);
    s->open = 0;
    if (s->fd >= 0)
        close(s->fd);
    if (!s->from_store && s != &streams[0] && s != &streams[1] && s != &streams[2])
        __raddle_free(s);
    return zero_or_fails();
}

int pclose(stream *s) {
    fclose(s);
    return any_int();
}

/* The object stays the same; if it fails the stream is closed. */
stream *freopen(const char *path, const char *mode, stream *s) {
    __raddle_stream_use(s);
    if (path)
        read_text(path);
    read_text(mode);
    s->end = s->error = 0;
    s->pushed = 0;
    if (!may_fail())
        return s;
    fclose(s);
    return NULL;
}

int feof(stream *s) {
    __raddle_stream_use(s);
    return s->end;
}

int ferror(stream *s) {
    __raddle_stream_use(s);
    return s->error;
}

void clearerr(stream *s) {
    __raddle_stream_use(s);
    s->end = s->error = 0;
}

int fileno(stream *s) {
    __raddle_stream_use(s);
    return s->fd;
}

static void has_positions(stream *s) {
    __raddle_stream_use(s);
    if (__raddle_in_memory(s))
        __raddle_unsupported("positions in a stream in memory");
}

int fseek(stream *s, long offset, int from) {
    has_positions(s);
    if (may_fail())
        return fails();
    s->end = 0;
    s->pushed = 0;
    return 0;
}
int fseeko(stream *s, long offset, int from) { return fseek(s, offset, from); }

void rewind(stream *s) {
    has_positions(s);
    s->pushed = 0;
    clearerr(s);
}

long ftell(stream *s) {
    has_positions(s);
    return may_fail() ? fails() : any_long() & (long)(~0ul >> 1);
}
long ftello(stream *s) { return ftell(s); }

void flockfile(stream *s) {
    __raddle_stream_use(s);
    if (__raddle_holder(&s->lock) == (int)__raddle_self())
        s->again++;
    else
        __raddle_lock(&s->lock);
}

int ftrylockfile(stream *s) {
    __raddle_stream_use(s);
    if (__raddle_holder(&s->lock) != (int)__raddle_self())
        return __raddle_trylock(&s->lock) ? 0 : -1;
    s->again++;
    return 0;
}

void funlockfile(stream *s) {
    __raddle_stream_use(s);
    if (s->again)
        s->again--;
    else
        __raddle_unlock(&s->lock);
}

int fgetpos(stream *s, void *position) {
    __raddle_stream_use(s);
    __raddle_fill(position, POSITION);
    return zero_or_fails();
}
int fsetpos(stream *s, const void *position) {
    __raddle_read_bytes(position, POSITION);
    return fseek(s, 0, 0);
}
int feof_unlocked(stream *s) { return feof(s); }
int ferror_unlocked(stream *s) { return ferror(s); }
int fileno_unlocked(stream *s) { return fileno(s); }
void clearerr_unlocked(stream *s) { clearerr(s); }
