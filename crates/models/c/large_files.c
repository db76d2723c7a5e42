/* The names that functions have with -D_FILE_OFFSET_BITS=64.
 *
 * On a machine of 64 bits they are the same functions; on one of 32 bits structures and offsets differ.
 * left out: machines of 32 bits (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

#ifdef __x86_64__
#define SAME(result, name, parameters, original, declared, arguments)                              \
    result original declared;                                                                      \
    result name parameters { return original arguments; }
#else
#define SAME(result, name, parameters, original, declared, arguments)                              \
    result name parameters { __raddle_unsupported("large files on a machine of 32 bits"); }
#endif

SAME(long, lseek64, (int fd, long at, int from), lseek, (int, long, int), (fd, at, from))
SAME(ssize_t, pread64, (int fd, void *to, size_t size, long at), pread, (int, void *, size_t, long),
     (fd, to, size, at))
SAME(ssize_t, pwrite64, (int fd, const void *from, size_t size, long at), pwrite,
     (int, const void *, size_t, long), (fd, from, size, at))
SAME(int, stat64, (const char *path, void *to), stat, (const char *, void *), (path, to))
SAME(int, lstat64, (const char *path, void *to), lstat, (const char *, void *), (path, to))
SAME(int, fstat64, (int fd, void *to), fstat, (int, void *), (fd, to))
SAME(int, fstatat64, (int folder, const char *path, void *to, int flags), fstatat,
     (int, const char *, void *, int), (folder, path, to, flags))
SAME(int, creat64, (const char *path, unsigned mode), creat, (const char *, unsigned), (path, mode))
SAME(ssize_t, preadv64, (int fd, const void *pieces, int count, long at), preadv, (int, const void *, int, long),
     (fd, pieces, count, at))
SAME(ssize_t, pwritev64, (int fd, const void *pieces, int count, long at), pwritev, (int, const void *, int, long),
     (fd, pieces, count, at))
SAME(ssize_t, sendfile64, (int to, int from, long *at, size_t size), sendfile, (int, int, long *, size_t),
     (to, from, at, size))
SAME(int, posix_fadvise64, (int fd, long at, long size, int advice), posix_fadvise, (int, long, long, int),
     (fd, at, size, advice))
SAME(int, posix_fallocate64, (int fd, long at, long size), posix_fallocate, (int, long, long), (fd, at, size))
SAME(int, fallocate64, (int fd, int mode, long at, long size), fallocate, (int, int, long, long),
     (fd, mode, at, size))
SAME(int, statvfs64, (const char *path, void *to), statvfs, (const char *, void *), (path, to))
SAME(int, fstatvfs64, (int fd, void *to), fstatvfs, (int, void *), (fd, to))
SAME(int, mkostemp64, (char *pattern, int flags), mkostemp, (char *, int), (pattern, flags))
SAME(void *, freopen64, (const char *path, const char *mode, void *file), freopen,
     (const char *, const char *, void *), (path, mode, file))
SAME(void *, tmpfile64, (void), tmpfile, (void), ())
SAME(int, getrlimit64, (int resource, void *to), getrlimit, (int, void *), (resource, to))
SAME(int, setrlimit64, (int resource, const void *from), setrlimit, (int, const void *), (resource, from))
SAME(int, prlimit64, (int process, int resource, const void *from, void *to), prlimit,
     (int, int, const void *, void *), (process, resource, from, to))
SAME(int, ftruncate64, (int fd, long size), ftruncate, (int, long), (fd, size))
SAME(int, truncate64, (const char *path, long size), truncate, (const char *, long), (path, size))
SAME(int, mkstemp64, (char *pattern), mkstemp, (char *), (pattern))
SAME(int, fseeko64, (void *file, long at, int from), fseeko, (void *, long, int), (file, at, from))
SAME(long, ftello64, (void *file), ftello, (void *), (file))
SAME(void *, mmap64, (void *at, size_t size, int protection, int flags, int fd, long offset), mmap,
     (void *, size_t, int, int, int, long), (at, size, protection, flags, fd, offset))
SAME(int, lockf64, (int fd, int command, long size), lockf, (int, int, long), (fd, command, size))
SAME(int, fgetpos64, (void *file, void *to), fgetpos, (void *, void *), (file, to))
SAME(int, fsetpos64, (void *file, const void *from), fsetpos, (void *, const void *), (file, from))
SAME(int, readdir64_r, (void *folder, void *to, void **result), readdir_r, (void *, void *, void **),
     (folder, to, result))
SAME(int, versionsort64, (const void **a, const void **b), versionsort, (const void **, const void **), (a, b))
SAME(int, statfs64, (const char *path, void *to), statfs, (const char *, void *), (path, to))
SAME(int, fstatfs64, (int fd, void *to), fstatfs, (int, void *), (fd, to))
SAME(int, mkstemps64, (char *pattern, int ending), mkstemps, (char *, int), (pattern, ending))
