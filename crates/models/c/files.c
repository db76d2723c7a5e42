/* Files and folders by name: fcntl.h, sys/stat.h, the names of stdio.h and unistd.h.
 *
 * Every call may succeed or fail with any errno: others may change the file system at any time.
 * Names are read. What is told about a file is arbitrary, except that sizes are not negative.
 * left out: what this program itself did to files is not remembered (a file that was just removed
 * may still be opened), but for those that it made with O_EXCL (exclusive.c).
 *
 * accesses: visible
 */
#include "any.h"

enum { O_CREAT = 0100, O_EXCL = 0200, HERE = -100, EEXIST = 17 };

int __raddle_make_exclusively(char kind, const char *path);
void __raddle_exclusive_removed(char kind, const char *path);

int close(int fd);
void *malloc(size_t size);

static int named(const char *path) {
    read_text(path);
    return zero_or_fails();
}

static int opened(const char *path, int flags) {
    __raddle_cancel_point();
    if (named(path) < 0)
        return -1;
    if (flags & O_EXCL && flags & O_CREAT && !__raddle_make_exclusively('f', path))
        return fails_with(EEXIST);
    return __raddle_fd_new(FD_OTHER);
}

static int opened_in(int folder, const char *path, int flags) {
    if (flags & O_EXCL && folder != HERE && path[0] != '/')
        __raddle_unsupported("openat with O_EXCL");
    return opened(path, flags);
}

int open(const char *path, int flags, ...) { return opened(path, flags); }
int open64(const char *path, int flags, ...) { return opened(path, flags); }
int openat(int folder, const char *path, int flags, ...) { return opened_in(folder, path, flags); }
int openat64(int folder, const char *path, int flags, ...) { return opened_in(folder, path, flags); }
int creat(const char *path, unsigned mode) { return opened(path, 0); }

int mkstemp(char *pattern) {
    read_text(pattern);
    size_t length = 0;
    while (pattern[length])
        length++;
    if (length < 6)
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    for (size_t i = length - 6; i < length; i++) {
        unsigned char letter = __raddle_input_u8() % 26;
        pattern[i] = (char)('a' + letter);
    }
    return __raddle_fd_new(FD_OTHER);
}

long lseek(int fd, long offset, int from) {
    if (__raddle_fd_kind(fd) == FD_CLOSED)
        return fails_with(9);
    if (may_fail())
        return fails();
    return any_long() & (long)(~0ul >> 1);
}

/* As glibc lays it out; only the size is looked at here. */
typedef struct {
#ifdef __x86_64__
    char before[48];
    long size;
    char after[88];
#else
    char before[44];
    long size;
    char after[40];
#endif
} file_status;
_Static_assert(sizeof(file_status) == (sizeof(void *) == 8 ? 144 : 88), "size in glibc");

static int tell(file_status *status, int result) {
    if (result == 0) {
        __raddle_fill(status, sizeof *status);
        status->size &= (long)(~0ul >> 1);
    }
    return result;
}

int stat(const char *path, file_status *status) { return tell(status, named(path)); }
int lstat(const char *path, file_status *status) { return tell(status, named(path)); }
int fstat(int fd, file_status *status) { return tell(status, zero_or_fails()); }
int fstatat(int folder, const char *path, file_status *status, int flags) {
    return tell(status, named(path));
}

int access(const char *path, int mode) { return named(path); }
int unlink(const char *path) {
    if (named(path) < 0)
        return -1;
    __raddle_exclusive_removed('f', path);
    return 0;
}
int remove(const char *path) { return unlink(path); }
int rmdir(const char *path) { return named(path); }
int mkdir(const char *path, unsigned mode) { return named(path); }
int mkfifo(const char *path, unsigned mode) { return named(path); }
int chdir(const char *path) { return named(path); }
int chmod(const char *path, unsigned mode) { return named(path); }
int chown(const char *path, unsigned user, unsigned group) { return named(path); }
int truncate(const char *path, long size) { return named(path); }
int fchmod(int fd, unsigned mode) { return zero_or_fails(); }
int fchown(int fd, unsigned user, unsigned group) { return zero_or_fails(); }
int ftruncate(int fd, long size) { return zero_or_fails(); }
int fsync(int fd) {
    __raddle_cancel_point();
    return zero_or_fails();
}
int fdatasync(int fd) { return fsync(fd); }
int posix_fadvise(int fd, long offset, long size, int advice) { return 0; }

static int named_both(const char *from, const char *to) {
    read_text(from);
    return named(to);
}
int rename(const char *from, const char *to) {
    if (named_both(from, to) < 0)
        return -1;
    __raddle_exclusive_removed('f', from);
    return 0;
}

int link(const char *from, const char *to) { return named_both(from, to); }
int symlink(const char *from, const char *to) { return named_both(from, to); }

ssize_t readlink(const char *path, char *to, size_t size) {
    if (named(path) < 0)
        return -1;
    size_t length = any_up_to(size);
    __raddle_fill(to, length);
    return (ssize_t)length;
}

char *getcwd(char *to, size_t size) {
    enum { PATH_MAX = 4096 };
    _Bool allocates = !to;
    if (allocates && size == 0)
        size = PATH_MAX;
    if (size < 2 || may_fail()) {
        fails();
        return NULL;
    }
    if (allocates)
        to = malloc(size);
    if (!to)
        return NULL;
    size_t length = any_up_to(size - 2) + 1;
    __raddle_fill(to, length);
    to[0] = '/';
    to[length] = 0;
    return to;
}

char *get_current_dir_name(void) { return getcwd(NULL, 0); }

int unlinkat(int folder, const char *path, int flags) { return unlink(path); }
int mkdirat(int folder, const char *path, unsigned mode) { return named(path); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return rename(from, to);
}
int faccessat(int folder, const char *path, int mode, int flags) { return named(path); }
char *mkdtemp(char *pattern) {
    int fd = mkstemp(pattern);
    if (fd < 0)
        return NULL;
    close(fd);
    return pattern;
}

/* A name of any content, at most as long as PATH_MAX allows. */
char *realpath(const char *path, char *to) {
    enum { LONGEST = 4096 };
    read_text(path);
    if (may_fail()) {
        fails();
        return NULL;
    }
    size_t length = 1 + any_up_to(LONGEST - 2);
    if (!to)
        to = malloc(length + 1);
    if (!to)
        return NULL;
    to[0] = '/';
    __raddle_fill(to + 1, length - 1);
    to[length] = 0;
    return to;
}

int mkostemp(char *pattern, int flags) { return mkstemp(pattern); }
void sync(void) {}
int syncfs(int fd) { return zero_or_fails(); }

int fchdir(int fd) { return zero_or_fails(); }
int chroot(const char *path) { return named(path); }
int lchown(const char *path, unsigned user, unsigned group) { return named(path); }
int fchmodat(int folder, const char *path, unsigned mode, int flags) { return named(path); }
int fchownat(int folder, const char *path, unsigned user, unsigned group, int flags) { return named(path); }
int mkfifoat(int folder, const char *path, unsigned mode) { return named(path); }
int mknod(const char *path, unsigned mode, unsigned long device) { return named(path); }
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) { return named_both(from, to); }
int symlinkat(const char *from, int folder, const char *to) { return named_both(from, to); }
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return rename(from, to);
}
ssize_t readlinkat(int folder, const char *path, char *to, size_t size) { return readlink(path, to, size); }

/* Two times, of two words each. */
static void read_times(const void *times) {
    if (times)
        __raddle_read_bytes(times, 4 * sizeof(long));
}
int utimes(const char *path, const void *times) {
    read_times(times);
    return named(path);
}
int lutimes(const char *path, const void *times) { return utimes(path, times); }
int utimensat(int folder, const char *path, const void *times, int flags) { return utimes(path, times); }
int futimens(int fd, const void *times) {
    read_times(times);
    return zero_or_fails();
}
int futimes(int fd, const void *times) { return futimens(fd, times); }
int utime(const char *path, const void *times) {
    if (times)
        __raddle_read_bytes(times, 2 * sizeof(long));
    return named(path);
}

/* What is told about a file system. */
enum { FILE_SYSTEM = sizeof(void *) == 8 ? 112 : 72 };
int statvfs(const char *path, void *to) {
    if (named(path) < 0)
        return -1;
    __raddle_fill(to, FILE_SYSTEM);
    return 0;
}
int fstatvfs(int fd, void *to) {
    if (may_fail())
        return fails();
    __raddle_fill(to, FILE_SYSTEM);
    return 0;
}

int fallocate(int fd, int mode, long offset, long size) { return zero_or_fails(); }
int sync_file_range(int fd, long offset, long size, unsigned flags) { return zero_or_fails(); }
ssize_t readahead(int fd, long offset, size_t size) { return zero_or_fails(); }

/* Limits of names and files; -1 without an error says that there is none. */
long fpathconf(int fd, int name) {
    if (may_fail())
        return fails();
    return __raddle_choice(2) ? -1 : (long)(__raddle_input_u32() >> 1);
}
long pathconf(const char *path, int name) {
    read_text(path);
    return fpathconf(-1, name);
}


/* Objects of shared memory are files with names of their own; what is in them: mmap.c. */
int shm_open(const char *name, int flags, unsigned mode) {
    if (named(name) < 0)
        return -1;
    if (flags & O_EXCL && flags & O_CREAT && !__raddle_make_exclusively('s', name))
        return fails_with(EEXIST);
    return __raddle_fd_new(FD_OTHER);
}
int shm_unlink(const char *name) {
    if (named(name) < 0)
        return -1;
    __raddle_exclusive_removed('s', name);
    return 0;
}
int memfd_create(const char *name, unsigned flags) { return named(name) < 0 ? -1 : __raddle_fd_new(FD_OTHER); }

int eaccess(const char *path, int mode) { return named(path); }
int euidaccess(const char *path, int mode) { return named(path); }

/* The letters stand before an ending. */
int mkstemps(char *pattern, int ending) {
    read_text(pattern);
    size_t length = 0;
    while (pattern[length])
        length++;
    if (ending < 0 || length < 6 + (size_t)ending)
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    for (size_t i = length - 6 - (size_t)ending; i < length - (size_t)ending; i++)
        pattern[i] = (char)('a' + __raddle_input_u8() % 26);
    return __raddle_fd_new(FD_OTHER);
}
int mkostemps(char *pattern, int ending, int flags) { return mkstemps(pattern, ending); }

/* More about file systems and files: numbers of any content. */
int statfs(const char *path, void *to) {
    enum { SIZE = sizeof(void *) == 8 ? 120 : 64 };
    if (named(path) < 0)
        return -1;
    __raddle_fill(to, SIZE);
    return 0;
}
int fstatfs(int fd, void *to) { return statfs("", to); }
int statx(int folder, const char *path, int flags, unsigned mask, void *to) {
    enum { SIZE = 256 };
    if (named(path) < 0)
        return -1;
    __raddle_fill(to, SIZE);
    return 0;
}

/* Attributes with names. */
static ssize_t attribute(const char *path, const char *name, void *to, size_t size) {
    read_text(path);
    read_text(name);
    if (may_fail())
        return fails();
    size_t length = any_up_to(size ? size : 0xffff);
    if (size)
        __raddle_fill(to, length);
    return (ssize_t)length;
}
ssize_t getxattr(const char *path, const char *name, void *to, size_t size) { return attribute(path, name, to, size); }
ssize_t lgetxattr(const char *path, const char *name, void *to, size_t size) { return attribute(path, name, to, size); }
ssize_t fgetxattr(int fd, const char *name, void *to, size_t size) { return attribute("", name, to, size); }
ssize_t listxattr(const char *path, char *to, size_t size) { return attribute(path, "", to, size); }
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
    read_text(name);
    __raddle_read_bytes(value, size);
    return named(path);
}
int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags) {
    return setxattr("", name, value, size, flags);
}
int removexattr(const char *path, const char *name) {
    read_text(name);
    return named(path);
}
