// args: --property deadlocks,races
// args auto: --unwind 1
// args staged: --unwind 1
// args context: --unwind 1
// args unwinding: --unwind 1
// expect: SAFE
// expect auto, staged, context, unwinding: BOUNDED (a wait that a wake ends is no pure iteration)
// The word is compared when the thread falls asleep, so a change and a wake before that are not lost.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int ready;
int data;

void *produce(void *arg) {
    data = 1;
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    while (!atomic_load(&ready))
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, 0);
    data = 2;
    pthread_join(t, 0);
    return 0;
}
