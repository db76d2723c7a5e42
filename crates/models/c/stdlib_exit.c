/* The end of the program.
 *
 * exit runs the functions that atexit registered, the last one first; return from main is done by
 * lowering, which calls exit where a program uses atexit. quick_exit and _exit run none.
 * left out: more than 32 functions of atexit, and longjmp (UNKNOWN); at_quick_exit.
 *
 * accesses: hidden
 */
#include "raddle.h"

enum { FUNCTIONS = 32 };

static void (*functions[FUNCTIONS])(void);
static unsigned registered;

int atexit(void (*function)(void)) {
    __raddle_atomic_begin();
    unsigned number = registered;
    if (number == FUNCTIONS)
        __raddle_unsupported("more than 32 functions of atexit");
    functions[number] = function;
    registered = number + 1;
    __raddle_atomic_end();
    return 0;
}

void exit(int status) {
    while (registered != 0)
        functions[--registered]();
    __raddle_exit();
}

void _exit(int status) { __raddle_exit(); }
void _Exit(int status) { __raddle_exit(); }
void quick_exit(int status) { __raddle_exit(); }
void abort(void) { __raddle_abort(); }

int setjmp(void *buffer) { return 0; }
int _setjmp(void *buffer) { return 0; }
int __sigsetjmp(void *buffer, int mask) { return 0; }
void longjmp(void *buffer, int value) { __raddle_unsupported("longjmp"); }
void siglongjmp(void *buffer, int value) { __raddle_unsupported("longjmp"); }
