// args: --property assertions
// expect: UNSAFE assertions
// pthread_exit runs the handlers of all functions under way, though nobody cancels.
#include <assert.h>
#include <pthread.h>

int runs;

void count(void *arg) { runs++; }

void leave(void) {
    pthread_cleanup_push(count, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

void *work(void *arg) {
    pthread_cleanup_push(count, 0);
    leave();
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(runs != 2); //~ assertions
    return 0;
}
