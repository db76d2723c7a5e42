// args: --property leaks
// expect: UNSAFE leaks
// Nobody frees the thread's buffer.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void *run(void *arg) {
    pthread_setspecific(key, malloc(4)); //~ leaks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
