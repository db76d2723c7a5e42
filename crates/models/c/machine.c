/* The machine: processors, memory, names, randomness.
 *
 * left out: numbers of processors that change; that two calls give the same names.
 *
 * accesses: visible
 */
#include "any.h"

int get_nprocs(void) {
    int value = (int)(__raddle_input_u32() & 0xffff);
    return value ? value : 1;
}
int get_nprocs_conf(void) { return get_nprocs(); }
long get_phys_pages(void) { return 1 + (any_long() & 0xffffffffl); }
long get_avphys_pages(void) { return 1 + (any_long() & 0xffffffffl); }
int getdtablesize(void) { return 1024; }

/* struct sysinfo: numbers of the size of a word, as many as glibc has. */
int sysinfo(void *to) {
    enum { SIZE = sizeof(long) == 8 ? 112 : 64 };
    if (may_fail())
        return fails();
    __raddle_fill(to, SIZE);
    return 0;
}

typedef struct {
    char names[6][65];
} names;

int uname(names *to) {
    if (may_fail())
        return fails();
    for (int i = 0; i < 6; i++) {
        size_t length = any_up_to(64);
        __raddle_fill(to->names[i], length);
        to->names[i][length] = 0;
    }
    return 0;
}

ssize_t getrandom(void *to, size_t size, unsigned flags) {
    if (may_fail())
        return fails();
    size_t given = any_up_to(size);
    __raddle_fill(to, given);
    return (ssize_t)given;
}

int getentropy(void *to, size_t size) {
    if (size > 256 || may_fail())
        return fails();
    __raddle_fill(to, size);
    return 0;
}

void arc4random_buf(void *to, size_t size) { __raddle_fill(to, size); }

/* Other programs: they do not touch this one. */
int system(const char *command) {
    if (!command)
        return (int)__raddle_choice(2);
    __raddle_cancel_point();
    read_text(command);
    return any_int();
}

int malloc_trim(size_t kept) { return (int)__raddle_choice(2); }
int mallopt(int option, int value) { return (int)__raddle_choice(2); }

unsigned long getauxval(unsigned long what) { return (unsigned long)any_long(); }
int getcpu(unsigned *processor, unsigned *node) {
    if (processor)
        *processor = __raddle_input_u8();
    if (node)
        *node = __raddle_input_u8();
    return 0;
}
long gethostid(void) { return any_long(); }

/* What the heap is made of: numbers. */
typedef struct {
    int numbers[10];
} heap_numbers;
typedef struct {
    size_t numbers[10];
} large_heap_numbers;
heap_numbers mallinfo(void) {
    heap_numbers result;
    __raddle_fill(&result, sizeof result);
    return result;
}
large_heap_numbers mallinfo2(void) {
    large_heap_numbers result;
    __raddle_fill(&result, sizeof result);
    return result;
}
void malloc_stats(void) {}
