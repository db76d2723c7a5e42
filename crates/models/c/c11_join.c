/* Joining and detaching threads of threads.h.
 *
 * C leaves undefined what thread_states.c calls misuse; where one goes on, the answer is
 * thrd_error, as in glibc.
 * left out: numbers of threads that are used again.
 *
 * accesses: visible
 */
#include "pthread_types.h"

enum { thrd_success, thrd_error = 2 };

int thrd_join(pthread_t thread, int *result) {
    void *value;
    if (pthread_join(thread, &value) != 0)
        return thrd_error;
    if (result)
        *result = (int)(long)value;
    return thrd_success;
}

int thrd_detach(pthread_t thread) {
    return __raddle_thread_detach(thread) == 0 ? thrd_success : thrd_error;
}
