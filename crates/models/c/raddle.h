/* The primitives over which library functions are modelled.
 *
 * A call of one of these never has a body: lowering turns it into an instruction of the program
 * model (crates/ir/src/instr.rs), or, for the constants, into its value. docs/semantics.md says
 * what the instructions mean. Models include nothing else but the headers of this folder.
 *
 * How models are written:
 * - One file per topic; the modules of LLVM that they become are linked one by one, only when
 *   the program uses a function of theirs, so files that need other files are kept small.
 * - One line "accesses: hidden" or "accesses: visible" in the header comment of each file:
 *   whether loads and stores in it can be part of a data race. Visible where they stand for
 *   accesses of the caller (memcpy, the result of pthread_join).
 * - A line that begins with "left out:" in the header comment: what the standard allows that the
 *   model does not do, so that a reader knows what a verdict does not cover.
 * - A line "effects: none" where functions do nothing but give a result: calls whose result is
 *   not used are dropped by lowering.
 * - A function without `static` is a library function that programs may call. To add one is to
 *   write it; build.rs finds it.
 * - What is not modelled calls __raddle_unsupported, which gives UNKNOWN where it is reached,
 *   never a guess.
 */
#ifndef RADDLE_H
#define RADDLE_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned long pthread_t;

#define NULL ((void *)0)

/* Codes of properties: names and order of ir::Property (tested in the frontend). */
enum {
    UNREACH,
    ASSERTIONS,
    RACES,
    DEADLOCKS,
    MEMORY,
    LEAKS,
    OVERFLOW,
    LOCKS,
    LOST_MEMORY,
};

/* An atomic section is one step; it takes none at all until every block in it is passable. */
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);

/* Waits inside an atomic section until the condition, computed in that section, holds. */
void __raddle_block(_Bool condition);
/* Likewise, but may go on without it (a spurious wakeup, no progress for deadlocks). */
void __raddle_block_or_wake(_Bool condition);
/* Other executions are not considered. */
void __raddle_assume(_Bool condition);
/* A violation of the property unless the condition holds; nothing if it is not checked. */
void __raddle_check(int property, _Bool condition, const char *message);
/* A constant: is the property checked? */
_Bool __raddle_checking(int property);

/* A constant: shall functions of this name (a string literal of lowering's list) be able to fail? If not,
 * the report says that they were assumed not to. */
_Bool __raddle_may_fail(const char *name);

/* Threads. Thread numbers are positive, main is 1. The second form starts start(first, second). */
unsigned long __raddle_create(void *(*start)(void *), void *argument);
unsigned long __raddle_create2(void *(*start)(void *, void *), void *first, void *second);
void *__raddle_join(unsigned long thread);
void __raddle_thread_exit(void *value) __attribute__((noreturn));
unsigned long __raddle_self(void);
/* Sets of threads: 8 bytes with a bit for each thread, for thread n the bit n - 1, and 8 more right behind
 * them with a bit for those of the set that were woken. A thread enters and leaves the set by a store to the
 * first 8, which says so; who wakes it writes the last 8. The first function gives the thread's number and is only
 * for finding its bit, in the atomic section that needs it: where nothing else names threads, those that
 * are alike can change places (crates/interp/src/alike.rs). */
unsigned long __raddle_place(void);
void __raddle_store_set(unsigned char *byte, unsigned char value);

/* Hooks: functions of model files that are called only if the program uses what they are there for;
 * else they do nothing, or give 0 (crates/frontend/src/lower/hooks.rs says when).
 * thread_end.c: all that happens at the end of a thread; its parts. */
void __raddle_thread_cleanup(void);
void __raddle_destroy_values(void);
void __raddle_release_robust(void);
void __raddle_note_end(void);
/* thread_last.c: a thread begins, in the section that makes it; it ends, perhaps as the last one. */
void __raddle_last_begins(void);
void __raddle_last_ends(void);
/* pthread_cleanup.c. */
void __raddle_cleanup_handlers(void);
/* Likewise: a handler of the library itself, in three words, where threads can be cancelled. */
void __raddle_handler_begins(void *buffer, void (*routine)(void *), void *argument);
void __raddle_handler_ends(void *buffer);
/* pthread_barrier_destroy.c, pthread_cond_destroy.c, semaphore_destroy.c: whether somebody destroys such objects. */
int __raddle_barriers_end(void);
int __raddle_conds_end(void);
int __raddle_semaphores_end(void);
/* pthread_cancel.c: whether threads can be cancelled at all, whether this one is to be, and the end of it if so. */
int __raddle_may_cancel(void);
int __raddle_cancel_pending(void);
void __raddle_cancel_point(void);
/* signal_handlers.c: a signal from outside may come here (1 if a handler has run); one that this program sends to the
 * calling thread, or to a thread: 1 if all is done, 2 if the default action is to be taken, 0 if that is not known. */
int __raddle_signal_point(void);
int __raddle_signal_sent(int number);
int __raddle_signal_sent_to(unsigned long thread, int number);
/* signalfd.c: a read of signals. */
ssize_t __raddle_signal_read(int fd, unsigned *data, size_t size);
/* inotify.c: a read of events. */
ssize_t __raddle_inotify_read(int fd, void *data, size_t size);
/* multibyte.c: setlocale has set another locale. */
void __raddle_new_encoding(int category, const char *name);
/* stdio_memory.c: whether a stream is in memory; a character from it (-1 at the end); its end. */
int __raddle_in_memory(void *file);
int __raddle_memory_getc(void *file);
void __raddle_memory_close(void *file);
/* stdio_buffer.c: a use of the buffer that the program gave to a stream. */
void __raddle_buffer_use(void *file);
/* stdio_unget.c: takes what was pushed back into a stream: 1 + the character, or 0. */
int __raddle_pushed_back(void *file);
/* pthread_robust.c: whether mutexes can be robust at all; what is to be done for those that are. */
int __raddle_may_be_robust(void);
int __raddle_robust_taken(void *mutex);
void __raddle_robust_released(void *mutex);

/* Mutexes: a word that is 0, or the number of the thread that holds it. The last pair stands for
 * the release and the re-acquisition in a condition wait. */
void __raddle_lock(int *word);
void __raddle_unlock(int *word);
int __raddle_trylock(int *word);
/* The word, for those who only want to know whether it is the number of their own thread. */
int __raddle_holder(const int *word);
void __raddle_wait_unlock(int *word);
void __raddle_wait_lock(int *word);

/* The heap. */
void *__raddle_alloc(size_t size);
void *__raddle_alloc_zeroed(size_t size);
/* The alignment is a constant. */
void *__raddle_alloc_aligned(size_t size, size_t alignment);
void __raddle_free(void *object);
size_t __raddle_object_size(const void *object);

/* Values that the program does not determine: from the environment, or a choice of the library
 * (0 up to but not including `count`, which is a constant; all are tried). */
unsigned char __raddle_input_u8(void);
unsigned short __raddle_input_u16(void);
unsigned int __raddle_input_u32(void);
unsigned long long __raddle_input_u64(void);
void *__raddle_input_ptr(void);
unsigned __raddle_choice(unsigned count);

/* The end of the program, with and without a leak check. */
void __raddle_exit(void) __attribute__((noreturn));
void __raddle_abort(void) __attribute__((noreturn));
/* No verdict on executions that come here. */
void __raddle_unsupported(const char *what) __attribute__((noreturn));
void __raddle_fence(void);

/* Numbers of errno.h on Linux that models return. */
enum {
    EPERM = 1,
    ESRCH = 3,
    EINTR = 4,
    EAGAIN = 11,
    ENOMEM = 12,
    EBUSY = 16,
    EINVAL = 22,
    ERANGE = 34,
    EDEADLK = 35,
    EOVERFLOW = 75,
    ETIMEDOUT = 110,
};

/* Defined in errno.c. */
int *__errno_location(void);

/* An access to an object that must exist, where nothing else looks at it. */
static inline void must_exist(const void *object) {
    if (__raddle_checking(MEMORY))
        (void)*(const volatile unsigned char *)object;
}

#endif
