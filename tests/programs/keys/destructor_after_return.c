// args: --property memory
// expect: UNSAFE memory
// After return from the start function its variables are gone when the destructors run.
#include <pthread.h>

pthread_key_t key;

static void clear(void *value) {
    *(int *)value = 0; //~ memory
}

void *run(void *arg) {
    int local = 1;
    pthread_setspecific(key, &local);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, clear);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
