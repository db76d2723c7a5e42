// args: --property assertions
// expect: UNSAFE assertions
// One thread looks without the lock and sees what the section overwrites at once.
#include <assert.h>
#include <pthread.h>

int value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *arg) {
    pthread_mutex_lock(&lock);
    value = 1;
    value = 2;
    assert(value == 2); //~ assertions
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *look(void *arg) {
    if (value == 1)
        value = 7;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
