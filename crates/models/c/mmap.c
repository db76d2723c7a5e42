/* Memory from the system: sys/mman.h.
 *
 * An anonymous mapping is a new object of zeros, a mapping of a file one of any content; munmap of
 * the whole ends its life, so later uses are found. Either may fail.
 * left out: mappings at an address of the caller's choice, munmap or mprotect of a part, and
 * protections and advice that throws contents away (UNKNOWN); writes to a mapping of a file are not seen by those who read the file; a
 * mapping need not begin at a page. Not modelled where leaks are checked (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

enum { FIXED = 0x10, ANONYMOUS = 0x20 };

void *mmap(void *at, size_t size, int protection, int flags, int fd, long offset) {
    if (flags & FIXED)
        __raddle_unsupported("mmap with MAP_FIXED");
    if (__raddle_checking(LEAKS) || __raddle_checking(LOST_MEMORY))
        __raddle_unsupported("mmap where leaks are checked");
    if (size == 0)
        return (void *)(long)fails_with(EINVAL);
    if (may_fail())
        return (void *)(long)fails();
    return flags & ANONYMOUS ? __raddle_alloc_zeroed(size) : __raddle_alloc(size);
}

int munmap(void *at, size_t size) {
    size_t whole = __raddle_object_size(at);
    if ((whole + 4095) / 4096 != (size + 4095) / 4096)
        __raddle_unsupported("munmap of a part of a mapping");
    __raddle_free(at);
    return 0;
}

int madvise(void *at, size_t size, int advice) {
    enum { DONTNEED = 4, FREE = 8 };
    if (advice == DONTNEED || advice == FREE)
        __raddle_unsupported("madvise that throws contents away");
    return zero_or_fails();
}
int mlock(const void *at, size_t size) { return zero_or_fails(); }
int munlock(const void *at, size_t size) { return zero_or_fails(); }
int mlockall(int flags) { return zero_or_fails(); }
int munlockall(void) { return zero_or_fails(); }
int msync(void *at, size_t size, int flags) {
    __raddle_cancel_point();
    __raddle_read_bytes(at, size);
    return zero_or_fails();
}

int mprotect(void *at, size_t size, int protection) {
    enum { READ_AND_WRITE = 3 };
    if ((protection & READ_AND_WRITE) != READ_AND_WRITE)
        __raddle_unsupported("memory that is protected");
    return zero_or_fails();
}

int mlock2(const void *at, size_t size, unsigned flags) { return zero_or_fails(); }
int posix_madvise(void *at, size_t size, int advice) { return 0; }
int mincore(void *at, size_t size, unsigned char *to) {
    if (may_fail())
        return fails();
    __raddle_fill(to, (size + 4095) / 4096);
    return 0;
}
