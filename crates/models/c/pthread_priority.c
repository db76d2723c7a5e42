/* Ceilings of mutexes: pthread_mutex_getprioceiling and setprioceiling.
 *
 * Whether a mutex has a ceiling is not kept: to ask for it may fail, or gives any priority. To set it locks the
 * mutex, as POSIX says, and unlocks it.
 * left out: priorities themselves, which have no effect on what is checked.
 *
 * accesses: visible
 */
#include "pthread_types.h"

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) {
    (void)*(const volatile int *)&mutex->kind;
    if (__raddle_choice(2))
        return EINVAL;
    *ceiling = 1 + (int)(__raddle_input_u32() % 99);
    return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old) {
    if (__raddle_choice(2) || ceiling < 1 || ceiling > 99)
        return EINVAL;
    int answer = pthread_mutex_lock(mutex);
    if (answer)
        return answer;
    if (old)
        *old = 1 + (int)(__raddle_input_u32() % 99);
    return pthread_mutex_unlock(mutex);
}
