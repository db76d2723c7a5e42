/* The end of the program, and its environment.
 *
 * Return from main is done by lowering. As it does not call functions registered with atexit,
 * those are not modelled. Of getenv only the answer that there is no such variable is modelled.
 *
 * accesses: hidden
 */
#include "raddle.h"

void exit(int status) { __raddle_exit(); }
void _exit(int status) { __raddle_exit(); }
void _Exit(int status) { __raddle_exit(); }
void quick_exit(int status) { __raddle_exit(); }
void abort(void) { __raddle_abort(); }

int atexit(void (*function)(void)) { __raddle_unsupported("atexit"); }

char *getenv(const char *name) {
    if (__raddle_input_u8())
        __raddle_unsupported("values of environment variables");
    return NULL;
}

int setjmp(void *buffer) { return 0; }
int _setjmp(void *buffer) { return 0; }
int __sigsetjmp(void *buffer, int mask) { return 0; }
void longjmp(void *buffer, int value) { __raddle_unsupported("longjmp"); }
void siglongjmp(void *buffer, int value) { __raddle_unsupported("longjmp"); }
