/* stdatomic.h as lax as gcc has it: objects need not be _Atomic, and values are converted as in an assignment.
 *
 * Included before a file that clang rejects because of its own header. A value of an atomic type (a cast to one) goes
 * through a variable, where it loses that type.
 */
#include <stdatomic.h>

#define __lax_type(p) __typeof__(((void)0, *(p)))
#define __lax_value(p, v)                                                                          \
    __typeof__(v) __lax_given = (v);                                                               \
    __lax_type(p) __lax_new = __lax_given

#undef atomic_init
#define atomic_init(p, v)                                                                          \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __lax_value(__lax_p, v);                                                                   \
        *(__lax_type(__lax_p) *)__lax_p = __lax_new;                                               \
    })

#undef atomic_load_explicit
#define atomic_load_explicit(p, o)                                                                 \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __lax_type(__lax_p) __lax_old;                                                             \
        __atomic_load((__lax_type(__lax_p) *)__lax_p, &__lax_old, (o));                            \
        __lax_old;                                                                                 \
    })
#undef atomic_load
#define atomic_load(p) atomic_load_explicit(p, __ATOMIC_SEQ_CST)

#undef atomic_store_explicit
#define atomic_store_explicit(p, v, o)                                                             \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __lax_value(__lax_p, v);                                                                   \
        __atomic_store((__lax_type(__lax_p) *)__lax_p, &__lax_new, (o));                           \
    })
#undef atomic_store
#define atomic_store(p, v) atomic_store_explicit(p, v, __ATOMIC_SEQ_CST)

#undef atomic_exchange_explicit
#define atomic_exchange_explicit(p, v, o)                                                          \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __lax_value(__lax_p, v);                                                                   \
        __lax_type(__lax_p) __lax_old;                                                             \
        __atomic_exchange((__lax_type(__lax_p) *)__lax_p, &__lax_new, &__lax_old, (o));            \
        __lax_old;                                                                                 \
    })
#undef atomic_exchange
#define atomic_exchange(p, v) atomic_exchange_explicit(p, v, __ATOMIC_SEQ_CST)

#define __lax_compare(p, e, v, weak, yes, no)                                                      \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __lax_value(__lax_p, v);                                                                   \
        __atomic_compare_exchange((__lax_type(__lax_p) *)__lax_p, (__lax_type(__lax_p) *)(e),      \
                                  &__lax_new, weak, (yes), (no));                                  \
    })
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak_explicit
#undef atomic_compare_exchange_weak
#define atomic_compare_exchange_strong_explicit(p, e, v, yes, no) __lax_compare(p, e, v, 0, yes, no)
#define atomic_compare_exchange_strong(p, e, v)                                                    \
    __lax_compare(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(p, e, v, yes, no) __lax_compare(p, e, v, 1, yes, no)
#define atomic_compare_exchange_weak(p, e, v)                                                      \
    __lax_compare(p, e, v, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

#define __lax_fetch(op, p, v, o)                                                                   \
    __extension__({                                                                                \
        __auto_type __lax_p = (p);                                                                 \
        __atomic_fetch_##op((__lax_type(__lax_p) *)__lax_p, (v), (o));                             \
    })
#undef atomic_fetch_add_explicit
#undef atomic_fetch_add
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_and_explicit
#undef atomic_fetch_and
#undef atomic_fetch_or_explicit
#undef atomic_fetch_or
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_xor
#define atomic_fetch_add_explicit(p, v, o) __lax_fetch(add, p, v, o)
#define atomic_fetch_add(p, v) __lax_fetch(add, p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(p, v, o) __lax_fetch(sub, p, v, o)
#define atomic_fetch_sub(p, v) __lax_fetch(sub, p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(p, v, o) __lax_fetch(and, p, v, o)
#define atomic_fetch_and(p, v) __lax_fetch(and, p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(p, v, o) __lax_fetch(or, p, v, o)
#define atomic_fetch_or(p, v) __lax_fetch(or, p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(p, v, o) __lax_fetch(xor, p, v, o)
#define atomic_fetch_xor(p, v) __lax_fetch(xor, p, v, __ATOMIC_SEQ_CST)
