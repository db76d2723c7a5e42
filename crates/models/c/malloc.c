/* The heap.
 *
 * malloc and its kin fail only with --may-fail malloc, or if the size is more than half of all
 * addresses: no object can be that large (a negative number that became a size). Contents of new memory are arbitrary. Memory
 * is never used again, so a dangling pointer never points into another object.
 * realloc(p, 0) frees and returns null, as in glibc.
 * left out: realloc always moves; malloc(0) never returns null.
 *
 * accesses: visible
 */
#include "raddle.h"

void *memcpy(void *to, const void *from, size_t size);

static _Bool fails(size_t size) {
    if (size <= ~(size_t)0 >> 1 && (!__raddle_may_fail("malloc") || !__raddle_choice(2)))
        return 0;
    *__errno_location() = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails(size) ? NULL : __raddle_alloc(size); }

void free(void *object) { __raddle_free(object); }

static int too_large(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes);
}

void *calloc(size_t count, size_t size) {
    if (too_large(count, size)) {
        *__errno_location() = ENOMEM;
        return NULL;
    }
    return fails(count * size) ? NULL : __raddle_alloc_zeroed(count * size);
}

void *realloc(void *object, size_t size) {
    if (!object)
        return malloc(size);
    if (size != 0 && fails(size))
        return NULL;
    if (size == 0) {
        __raddle_free(object);
        return NULL;
    }
    size_t old_size = __raddle_object_size(object);
    void *copy = __raddle_alloc(size);
    memcpy(copy, object, old_size < size ? old_size : size);
    __raddle_free(object);
    return copy;
}

void *reallocarray(void *object, size_t count, size_t size) {
    if (too_large(count, size)) {
        *__errno_location() = ENOMEM;
        return NULL;
    }
    return realloc(object, count * size);
}

size_t malloc_usable_size(void *object) { return __raddle_object_size(object); }

enum { PAGE = 4096 };

/* Lines of a cache, and pages; no more than was asked for, so that nobody relies on it. */
static void *alloc_aligned(size_t alignment, size_t size) {
    if (fails(size))
        return NULL;
    switch (alignment) {
    case 32:
        return __raddle_alloc_aligned(size, 32);
    case 64:
        return __raddle_alloc_aligned(size, 64);
    case 128:
        return __raddle_alloc_aligned(size, 128);
    case PAGE:
        return __raddle_alloc_aligned(size, PAGE);
    default:
        if (alignment > 16)
            __raddle_unsupported("memory of such an alignment");
        return __raddle_alloc(size);
    }
}

/* As in glibc: a power of two, or nothing. */
void *aligned_alloc(size_t alignment, size_t size) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        *__errno_location() = EINVAL;
        return NULL;
    }
    return alloc_aligned(alignment, size);
}

void *memalign(size_t alignment, size_t size) { return alloc_aligned(alignment, size); }

void *valloc(size_t size) { return alloc_aligned(PAGE, size); }
void *pvalloc(size_t size) { return alloc_aligned(PAGE, (size + PAGE - 1) & ~(size_t)(PAGE - 1)); }

int posix_memalign(void **object, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *made = alloc_aligned(alignment, size);
    if (!made)
        return ENOMEM;
    *object = made;
    return 0;
}
