/* Thread-specific storage of threads.h: the keys of pthread.h by other names, see pthread_keys.c.
 * left out: failures of tss_create.
 *
 * accesses: hidden
 */
#include "raddle.h"

enum { thrd_success, thrd_error = 2 };

int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);

int tss_create(unsigned *key, void (*destructor)(void *)) {
    pthread_key_create(key, destructor);
    return thrd_success;
}

void tss_delete(unsigned key) { pthread_key_delete(key); }

void *tss_get(unsigned key) { return pthread_getspecific(key); }

int tss_set(unsigned key, void *value) {
    return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}
