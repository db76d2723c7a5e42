// args: --property memory
// expect: SAFE
// pthread_exit runs the destructors while the thread's variables are still there.
#include <pthread.h>

pthread_key_t key;

static void clear(void *value) { *(int *)value = 0; }

static void leave(void) { pthread_exit(0); }

void *run(void *arg) {
    int local = 1;
    pthread_setspecific(key, &local);
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, clear);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
