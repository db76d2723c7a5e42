/* Bytes from the environment, into memory of the caller.
 *
 * Words are written while one is left, so that fewer steps are needed.
 * left out: nothing; every content is possible.
 *
 * accesses: visible
 */
#include "any.h"
#include "caller.h"

typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

void __raddle_fill(void *to, size_t size) {
    unsigned char *at = to;
    while (size >= sizeof(word)) {
        *(word *)at = (uintptr_t)__raddle_input_u64();
        at += sizeof(word);
        size -= sizeof(word);
    }
    while (size != 0) {
        *at++ = __raddle_input_u8();
        size--;
    }
}

/* One number, for models whose own accesses are hidden. */
void __raddle_give(int *to, int value) { *to = value; }

/* Likewise, any number of bytes. */
void __raddle_give_bytes(void *to, const unsigned char *from, size_t size) {
    unsigned char *at = to;
    for (size_t i = 0; i < size; i++)
        at[i] = from[i];
}

/* Of SV-COMP. */
void __VERIFIER_nondet_memory(void *to, size_t size) { __raddle_fill(to, size); }
