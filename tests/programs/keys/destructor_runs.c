// args: --property assertions
// expect: SAFE
// The destructor gets the value when the thread ends, by return or by pthread_exit.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int sum;

void destroy(void *value) {
    sum += *(int *)value;
}

void *returns(void *arg) {
    pthread_setspecific(key, arg);
    return 0;
}

void *exits(void *arg) {
    pthread_setspecific(key, arg);
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    int one = 1, ten = 10;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, returns, &one);
    pthread_join(t, 0);
    pthread_create(&t, 0, exits, &ten);
    pthread_join(t, 0);
    assert(sum == 11);
    return 0;
}
