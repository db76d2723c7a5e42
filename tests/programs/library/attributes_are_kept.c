// args: --property assertions
// expect: SAFE
// What was set can be asked for.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t attr;
    pthread_mutexattr_t kind;
    size_t size = 0;
    int value = -1;
    pthread_attr_init(&attr);
    assert(pthread_attr_setstacksize(&attr, 1) != 0);
    assert(pthread_attr_setstacksize(&attr, 65536) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 65536);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_getprotocol(&kind, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_gettype(&kind, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
    return 0;
}
