/* Native bodies for the primitives, for one thread: a block that cannot be passed is a failure. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "primitive: %s\n", what);
    exit(3);
}

void __raddle_atomic_begin(void) {}
void __raddle_atomic_end(void) {}
void __raddle_fence(void) {}

/* Hooks, where the file that has them is not linked. */
#define HOOK(name)                                                                                 \
    void name(void) __attribute__((weak));                                                         \
    void name(void) {}
#define HOOK_INT(name)                                                                             \
    int name(void) __attribute__((weak));                                                          \
    int name(void) { return 0; }
/* signals.c. */
int __raddle_signals_managed __attribute__((weak));
HOOK(__raddle_thread_cleanup)
HOOK(__raddle_destroy_values)
HOOK(__raddle_release_robust)
HOOK(__raddle_note_end)
HOOK(__raddle_buffer_use)
HOOK(__raddle_last_begins)
HOOK(__raddle_last_ends)
HOOK(__raddle_cleanup_handlers)
HOOK(__raddle_handler_begins)
HOOK(__raddle_handler_ends)
HOOK(__raddle_cancel_point)
HOOK_INT(__raddle_may_cancel)
HOOK_INT(__raddle_cancel_pending)
HOOK_INT(__raddle_may_be_robust)
HOOK_INT(__raddle_signal_point)

/* Those with parameters. */
#define HOOK_OF(type, name, parameters, ...)                                                     \
    type name parameters __attribute__((weak));                                                    \
    type name parameters { return __VA_ARGS__; }
HOOK_OF(int, __raddle_robust_taken, (void *mutex), (void)mutex, 0)
HOOK_OF(void, __raddle_robust_released, (void *mutex), (void)mutex)
HOOK_OF(int, __raddle_in_memory, (void *file), (void)file, 0)
HOOK_OF(int, __raddle_memory_getc, (void *file), (void)file, -1)
HOOK_OF(int, __raddle_pushed_back, (void *file), (void)file, 0)
HOOK_OF(void, __raddle_memory_close, (void *file), (void)file)
HOOK_OF(void, __raddle_new_encoding, (int category, const char *name), (void)category, (void)name)
HOOK_OF(int, __raddle_signal_sent, (int number), (void)number, 0)
HOOK_OF(int, __raddle_signal_sent_to, (unsigned long thread, int number), (void)thread, (void)number, 0)
HOOK_OF(void, __raddle_set_mask, (int how, unsigned long long set), (void)how, (void)set)
HOOK_OF(void *, __raddle_set_action, (int number, int sets, void *handler, int flags, int *old_flags),
        (void)number, (void)sets, (void)handler, (void)flags, *old_flags = 0, (void *)0)
HOOK_OF(long, __raddle_inotify_read, (int fd, void *data, size_t size), (void)fd, (void)data, (void)size, -1)

long __raddle_signal_read(int fd, unsigned *data, size_t size) __attribute__((weak));
long __raddle_signal_read(int fd, unsigned *data, size_t size) {
    (void)fd, (void)data, (void)size;
    fail("no signals are read");
}

void __raddle_block(_Bool condition) {
    if (!condition)
        fail("blocked");
}

void __raddle_assume(_Bool condition) {
    if (!condition)
        fail("assumption");
}

/* What the model has reported since the driver last looked. */
const char *reported;
_Bool checking[8];

_Bool __raddle_checking(int property) { return checking[property]; }

void __raddle_check(int property, _Bool condition, const char *message) {
    if (checking[property] && !condition && !reported)
        reported = message;
}

unsigned long self = 1;
unsigned long __raddle_self(void) { return self; }
unsigned long __raddle_place(void) { return self; }
void __raddle_store_set(unsigned char *byte, unsigned char value) { *byte = value; }

void __raddle_lock(int *word) {
    if (*word != 0)
        fail("lock of a held mutex");
    *word = (int)self;
}

void __raddle_wait_lock(int *word) { __raddle_lock(word); }
void __raddle_unlock(int *word) { *word = 0; }
void __raddle_wait_unlock(int *word) { *word = 0; }

int __raddle_holder(const int *word) { return *word; }
int __raddle_trylock(int *word) {
    if (*word != 0)
        return 0;
    *word = (int)self;
    return 1;
}

/* The exact size is kept in front of each object. */
enum { HEADER = 64 };

void *__raddle_alloc(size_t size) {
    char *block = malloc(size + HEADER);
    memset(block, 0xa5, size + HEADER);
    memcpy(block, &size, sizeof size);
    return block + HEADER;
}

/* Nobody looks at the address. */
void *__raddle_alloc_aligned(size_t size, size_t alignment) {
    (void)alignment;
    return __raddle_alloc(size);
}

void *__raddle_alloc_zeroed(size_t size) { return memset(__raddle_alloc(size), 0, size); }

void __raddle_free(void *object) {
    if (object)
        free((char *)object - HEADER);
}

size_t __raddle_object_size(const void *object) {
    size_t size = 0;
    if (object)
        memcpy(&size, (const char *)object - HEADER, sizeof size);
    return size;
}

/* Native memory is enough. */
_Bool __raddle_may_fail(const char *function) {
    (void)function;
    return 0;
}

unsigned __raddle_choice(unsigned count) { return (unsigned)rand() % count; }
unsigned __raddle_input_u32(void) { return (unsigned)rand() * 3u; }
unsigned short __raddle_input_u16(void) { return (unsigned short)rand(); }
unsigned char __raddle_input_u8(void) { return (unsigned char)rand(); }
unsigned long long __raddle_input_u64(void) {
    return (unsigned long long)__raddle_input_u32() << 32 | __raddle_input_u32();
}

void *__raddle_input_ptr(void) { return (void *)(unsigned long)__raddle_input_u32(); }

_Noreturn void __raddle_unsupported(const char *what) { fail(what); }

/* A thread that is created runs to its end at once. */
enum { THREADS = 1024 };
static void *results[THREADS];
static unsigned long last_thread = 1;
static jmp_buf *end_of_thread;

static unsigned long run(void *(*one)(void *), void *(*two)(void *, void *), void *first, void *second) {
    unsigned long creator = self, number = ++last_thread;
    jmp_buf own, *outer = end_of_thread;
    if (number >= THREADS)
        fail("too many threads");
    self = number;
    end_of_thread = &own;
    if (setjmp(own) == 0)
        results[number] = one ? one(first) : two(first, second);
    end_of_thread = outer;
    self = creator;
    return number;
}

unsigned long __raddle_create(void *(*start)(void *), void *argument) { return run(start, NULL, argument, NULL); }
unsigned long __raddle_create2(void *(*start)(void *, void *), void *first, void *second) {
    return run(NULL, start, first, second);
}
void *__raddle_join(unsigned long thread) { return results[thread]; }
_Noreturn void __raddle_thread_exit(void *value) {
    if (!end_of_thread)
        fail("the main thread ends");
    results[self] = value;
    longjmp(*end_of_thread, 1);
}
void __raddle_thread_begins(unsigned long thread, const void *attr) __attribute__((weak));
void __raddle_thread_begins(unsigned long thread, const void *attr) { (void)thread, (void)attr; }
_Noreturn void __raddle_exit(void) { fail("exit"); }
_Noreturn void __raddle_abort(void) { fail("abort"); }
