// args: --property memory --property assertions
// expect: UNSAFE assertions memory
// The thread's access is wrong however early it comes; main's assertion does not need it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) p;
_Atomic int done;

void *reader(void *arg) {
    int *seen = p;
    return seen ? (void *)(long)*seen : arg; //~ memory
}

void *owner(void *arg) {
    char small = 1;
    p = (int *)&small;
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    done = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    pthread_join(t, 0);
    assert(!done); //~ assertions
    return 0;
}
