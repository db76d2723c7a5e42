/* Library calls that compilers make for atomic accesses which the machine does not have.
 *
 * clang calls them for objects of odd size or alignment: __atomic_load and so on with the size
 * as first argument, __atomic_load_8 and so on with the value in registers. Each is one atomic
 * section, and accesses in atomic sections count as atomic. Memory orders are ignored: memory is
 * sequentially consistent. The names belong to the compiler, hence the assembler labels. Also
 * the functions of stdatomic.h that are usually macros.
 * left out: orders weaker than seq_cst (all are sequentially consistent).
 *
 * accesses: visible
 */
#include "raddle.h"

#define NAMED(name) __asm__(#name)

typedef unsigned char byte;
typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

/* By words while one is left, so that pointers stay in one piece. */
static void copy(byte *to, const byte *from, size_t size) {
    size_t i = 0;
    for (; i + sizeof(word) <= size; i += sizeof(word))
        *(word *)(to + i) = *(const word *)(from + i);
    for (; i < size; i++)
        to[i] = from[i];
}

static _Bool are_equal(const byte *one, const byte *other, size_t size) {
    _Bool equal = 1;
    size_t i = 0;
    for (; i + sizeof(word) <= size; i += sizeof(word))
        equal &= *(const word *)(one + i) == *(const word *)(other + i);
    for (; i < size; i++)
        equal &= one[i] == other[i];
    return equal;
}

void atomic_load(size_t size, const void *from, void *to, int order) NAMED(__atomic_load);
void atomic_load(size_t size, const void *from, void *to, int order) {
    __raddle_atomic_begin();
    copy(to, from, size);
    __raddle_atomic_end();
}

void atomic_store(size_t size, void *to, const void *from, int order) NAMED(__atomic_store);
void atomic_store(size_t size, void *to, const void *from, int order) {
    __raddle_atomic_begin();
    copy(to, from, size);
    __raddle_atomic_end();
}

/* The new value may come from where the old one goes. */
#define exchange(type, object, from, to)                                                           \
    do {                                                                                           \
        type old = *(type *)(object);                                                              \
        *(type *)(object) = *(const type *)(from);                                                 \
        *(type *)(to) = old;                                                                       \
    } while (0)

void atomic_exchange(size_t size, void *object, const void *from, void *to, int order)
    NAMED(__atomic_exchange);
void atomic_exchange(size_t size, void *object, const void *from, void *to, int order) {
    __raddle_atomic_begin();
    size_t i = 0;
    for (; i + sizeof(word) <= size; i += sizeof(word))
        exchange(word, (byte *)object + i, (const byte *)from + i, (byte *)to + i);
    for (; i < size; i++)
        exchange(byte, (byte *)object + i, (const byte *)from + i, (byte *)to + i);
    __raddle_atomic_end();
}

_Bool atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired,
                              int success, int failure) NAMED(__atomic_compare_exchange);
_Bool atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired,
                              int success, int failure) {
    __raddle_atomic_begin();
    _Bool equal = are_equal(object, expected, size);
    if (equal)
        copy(object, desired, size);
    else
        copy(expected, object, size);
    __raddle_atomic_end();
    return equal;
}

_Bool atomic_is_lock_free(size_t size, const void *object) NAMED(__atomic_is_lock_free);
_Bool atomic_is_lock_free(size_t size, const void *object) {
    return size == 1 || size == 2 || size == 4 || size == 8;
}

#define FETCH(bytes, type, op, expression)                                                         \
    type fetch_##op##_##bytes(type *object, type value, int order)                                 \
        NAMED(__atomic_fetch_##op##_##bytes);                                                      \
    type fetch_##op##_##bytes(type *object, type value, int order) {                               \
        __raddle_atomic_begin();                                                                   \
        type old = *object;                                                                        \
        *object = (type)(expression);                                                              \
        __raddle_atomic_end();                                                                     \
        return old;                                                                                \
    }

#define SIZED(bytes, type)                                                                         \
    type load_##bytes(const type *object, int order) NAMED(__atomic_load_##bytes);                 \
    type load_##bytes(const type *object, int order) {                                             \
        __raddle_atomic_begin();                                                                   \
        type value = *object;                                                                      \
        __raddle_atomic_end();                                                                     \
        return value;                                                                              \
    }                                                                                              \
    void store_##bytes(type *object, type value, int order) NAMED(__atomic_store_##bytes);         \
    void store_##bytes(type *object, type value, int order) {                                      \
        __raddle_atomic_begin();                                                                   \
        *object = value;                                                                           \
        __raddle_atomic_end();                                                                     \
    }                                                                                              \
    _Bool compare_exchange_##bytes(type *object, type *expected, type desired, int success,        \
                                   int failure) NAMED(__atomic_compare_exchange_##bytes);          \
    _Bool compare_exchange_##bytes(type *object, type *expected, type desired, int success,        \
                                   int failure) {                                                  \
        __raddle_atomic_begin();                                                                   \
        type old = *object;                                                                        \
        _Bool equal = old == *expected;                                                            \
        if (equal)                                                                                 \
            *object = desired;                                                                     \
        else                                                                                       \
            *expected = old;                                                                       \
        __raddle_atomic_end();                                                                     \
        return equal;                                                                              \
    }                                                                                              \
    type exchange_##bytes(type *object, type value, int order) NAMED(__atomic_exchange_##bytes);   \
    type exchange_##bytes(type *object, type value, int order) {                                   \
        __raddle_atomic_begin();                                                                   \
        type old = *object;                                                                        \
        *object = value;                                                                           \
        __raddle_atomic_end();                                                                     \
        return old;                                                                                \
    }                                                                                              \
    FETCH(bytes, type, add, old + value)                                                           \
    FETCH(bytes, type, sub, old - value)                                                           \
    FETCH(bytes, type, and, old & value)                                                           \
    FETCH(bytes, type, or, old | value)                                                            \
    FETCH(bytes, type, xor, old ^ value)                                                           \
    FETCH(bytes, type, nand, ~(old & value))

SIZED(1, unsigned char)
SIZED(2, unsigned short)
SIZED(4, unsigned int)
SIZED(8, unsigned long long)
#ifdef __SIZEOF_INT128__
SIZED(16, unsigned __int128)
#endif

typedef struct {
    _Bool value;
} atomic_flag;

_Bool atomic_flag_test_and_set(atomic_flag *flag) {
    __raddle_atomic_begin();
    _Bool old = flag->value;
    flag->value = 1;
    __raddle_atomic_end();
    return old;
}

_Bool atomic_flag_test_and_set_explicit(atomic_flag *flag, int order) {
    return atomic_flag_test_and_set(flag);
}

void atomic_flag_clear(atomic_flag *flag) {
    __raddle_atomic_begin();
    flag->value = 0;
    __raddle_atomic_end();
}

void atomic_flag_clear_explicit(atomic_flag *flag, int order) { atomic_flag_clear(flag); }

void atomic_thread_fence(int order) { __raddle_fence(); }
void atomic_signal_fence(int order) {}
