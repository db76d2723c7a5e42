// args: --property races --property assertions
// expect: SAFE
// The number of the new thread is stored before it begins, as glibc does.
#include <assert.h>
#include <pthread.h>

pthread_t id;

void *run(void *arg) {
    assert(pthread_equal(id, pthread_self()));
    return arg;
}

int main(void) {
    pthread_create(&id, 0, run, 0);
    pthread_join(id, 0);
    return 0;
}
