// args: --property deadlocks
// expect: UNSAFE deadlocks
// Who changes the word must wake who sleeps.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int ready;

void *produce(void *arg) {
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    while (!atomic_load(&ready))
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, 0); //~ deadlocks
    pthread_join(t, 0);
    return 0;
}
