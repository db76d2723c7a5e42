/* Thread-specific data.
 *
 * POSIX: every thread has its own value of each key, at first null. When a thread ends, the
 * destructor of each key whose value is not null is called with the value, which is null by
 * then, until there is none left, at most PTHREAD_DESTRUCTOR_ITERATIONS times. The order is not
 * specified; here it is the order of creation, as in glibc. Return from main calls none.
 * To use a key that was deleted or never created is undefined: "locks" reports it.
 * Simplified: at most 32 keys in a run; the number of a deleted key is not used again.
 * left out: failures for lack of memory; more than 32 keys (UNKNOWN); numbers of deleted keys used again.
 *
 * accesses: hidden
 */
#include "caller.h"

#define KEYS 32
#define ITERATIONS 4

static unsigned created;
static void (*destructors[KEYS])(void *);
static _Bool deleted[KEYS];
static _Thread_local void *values[KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    __raddle_atomic_begin();
    unsigned number = created;
    if (number == KEYS)
        __raddle_unsupported("more than 32 keys of thread-specific data");
    destructors[number] = destructor;
    created = number + 1;
    __raddle_atomic_end();
    __raddle_give((int *)key, (int)number);
    return 0;
}

static void check_key(unsigned key) {
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, key < KEYS && key < created && !deleted[key],
                       "the key of thread-specific data is used after it was deleted, or was never created");
}

int pthread_key_delete(unsigned key) {
    check_key(key);
    if (key >= KEYS)
        return EINVAL;
    if (__raddle_checking(LOCKS))
        deleted[key] = 1;
    destructors[key] = NULL;
    return 0;
}

void *pthread_getspecific(unsigned key) {
    check_key(key);
    return key < KEYS ? values[key] : NULL;
}

int pthread_setspecific(unsigned key, const void *value) {
    check_key(key);
    if (key >= KEYS)
        return EINVAL;
    values[key] = (void *)value;
    return 0;
}

static int destroy_values(void) {
    int again = 0;
    for (unsigned key = 0; key < created; key++) {
        void *value = values[key];
        void (*destructor)(void *) = destructors[key];
        if (value && destructor) {
            values[key] = NULL;
            destructor(value);
            again = 1;
        }
    }
    return again;
}

void __raddle_destroy_values(void) {
    int rounds = 0;
    while (rounds < ITERATIONS && destroy_values())
        rounds++;
}
