/* Cleanup handlers: pthread_cleanup_push and pthread_cleanup_pop.
 *
 * POSIX: what a thread has pushed and not popped is called in reverse order when the thread is
 * cancelled or calls pthread_exit, but not when it returns from its start function. In glibc
 * the macros save the place to jump to, and the handler is called there; lowering reads handler and
 * argument off that code (crates/frontend/src/lower/cleanup.rs) and calls __raddle_cleanup_push instead. In musl
 * they call _pthread_cleanup_push and _pthread_cleanup_pop. Both have a buffer in the frame of the function
 * that pushes, which links the handlers here.
 * left out: frames of the functions that were under way above the handler's are still there while it
 * runs, so that a use of their objects in a handler is not found.
 *
 * accesses: hidden
 */
#include "raddle.h"

typedef struct handler {
    void (*routine)(void *);
    void *argument;
    struct handler *below;
} handler;

static _Thread_local handler *top;

void __raddle_cleanup_push(handler *buffer, void (*routine)(void *), void *argument) {
    buffer->routine = routine;
    buffer->argument = argument;
    buffer->below = top;
    top = buffer;
}

void __raddle_handler_begins(void *buffer, void (*routine)(void *), void *argument) {
    __raddle_cleanup_push(buffer, routine, argument);
}
void __raddle_handler_ends(void *buffer) { top = ((handler *)buffer)->below; }

void __pthread_unregister_cancel(handler *buffer) { top = buffer->below; }

/* Only reached by a jump, and nobody jumps. */
void __pthread_unwind_next(handler *buffer) { __raddle_assume(0); }

void _pthread_cleanup_push(handler *buffer, void (*routine)(void *), void *argument) {
    __raddle_cleanup_push(buffer, routine, argument);
}

void _pthread_cleanup_pop(handler *buffer, int run) {
    top = buffer->below;
    if (run)
        buffer->routine(buffer->argument);
}

void __raddle_cleanup_handlers(void) {
    while (top) {
        handler *last = top;
        top = last->below;
        last->routine(last->argument);
    }
}
