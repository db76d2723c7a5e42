// args: --property assertions --property races
// expect: SAFE
// Each thread has its own value, at first null.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void *run(void *arg) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void) {
    pthread_t t;
    int mine, other;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &mine);
    pthread_create(&t, 0, run, &other);
    assert(pthread_getspecific(key) == &mine);
    pthread_join(t, 0);
    pthread_key_delete(key);
    return 0;
}
