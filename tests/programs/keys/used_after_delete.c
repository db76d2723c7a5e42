// A key that was deleted, by the main thread that does not wait, is none.
// args: --property locks
// expect: UNSAFE locks
#include <pthread.h>

pthread_key_t key;

void *work(void *arg) {
    pthread_setspecific(key, &key); //~ locks
    return pthread_getspecific(key); //~ locks
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, work, 0);
    pthread_key_delete(key);
    pthread_join(t, 0);
    return 0;
}
