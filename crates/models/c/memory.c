/* Blocks of memory: the mem* functions of string.h.
 *
 * Accesses are those of the caller. Copies and fills go by whole words while a word is
 * left, as real ones do: so pointers are moved in one piece and fewer steps are needed.
 * memcpy of overlapping blocks is undefined: "memory" reports it (apart.h); else it copies upwards.
 * left out: copying in another order or by larger pieces; memcpy of a block onto itself is no finding.
 *
 * accesses: visible
 */
#include "apart.h"

typedef unsigned char byte;
typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

static void copy_up(byte *to, const byte *from, size_t size) {
    while (size >= sizeof(word)) {
        *(word *)to = *(const word *)from;
        to += sizeof(word);
        from += sizeof(word);
        size -= sizeof(word);
    }
    while (size != 0) {
        *to++ = *from++;
        size--;
    }
}

static void copy_down(byte *to, const byte *from, size_t size) {
    while (size % sizeof(word) != 0) {
        size--;
        to[size] = from[size];
    }
    while (size != 0) {
        size -= sizeof(word);
        *(word *)(to + size) = *(const word *)(from + size);
    }
}

void *memcpy(void *to, const void *from, size_t size) {
    blocks_are_apart(to, from, size);
    copy_up(to, from, size);
    return to;
}

void *mempcpy(void *to, const void *from, size_t size) {
    blocks_are_apart(to, from, size);
    copy_up(to, from, size);
    return (byte *)to + size;
}

void *memmove(void *to, const void *from, size_t size) {
    if ((uintptr_t)to <= (uintptr_t)from)
        copy_up(to, from, size);
    else
        copy_down(to, from, size);
    return to;
}

void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }

void *memset(void *block, int value, size_t size) {
    word pattern = (byte)value * (~(uintptr_t)0 / 255);
    byte *at = block;
    while (size >= sizeof(word)) {
        *(word *)at = pattern;
        at += sizeof(word);
        size -= sizeof(word);
    }
    while (size != 0) {
        *at++ = (byte)value;
        size--;
    }
    return block;
}

void bzero(void *block, size_t size) { memset(block, 0, size); }
void explicit_bzero(void *block, size_t size) { memset(block, 0, size); }

int memcmp(const void *a, const void *b, size_t size) {
    const byte *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *block, int value, size_t size) {
    const byte *at = block;
    for (size_t i = 0; i < size; i++)
        if (at[i] == (byte)value)
            return (void *)(at + i);
    return NULL;
}

void *memrchr(const void *block, int value, size_t size) {
    const byte *at = block;
    while (size != 0) {
        size--;
        if (at[size] == (byte)value)
            return (void *)(at + size);
    }
    return NULL;
}

void *memmem(const void *block, size_t size, const void *needle, size_t length) {
    const byte *at = block;
    for (size_t i = 0; length <= size && i <= size - length; i++)
        if (memcmp(at + i, needle, length) == 0)
            return (void *)(at + i);
    return NULL;
}
