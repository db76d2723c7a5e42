// args: --property assertions
// expect: UNSAFE assertions
// A wait may end although nobody has changed anything: it belongs into a loop.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int ready;

void *produce(void *arg) {
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    syscall(SYS_futex, &ready, FUTEX_WAIT, 0, 0);
    assert(ready); //~ assertions
    pthread_join(t, 0);
    return 0;
}
