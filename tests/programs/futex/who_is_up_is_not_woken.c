// A wake counts only who sleeps when it comes: not who was asleep earlier and is up again.
// args: --property assertions,deadlocks
// expect: UNSAFE deadlocks
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, up;

static void *sleeper(void *argument) {
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0); //~ deadlocks
    up = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    if (up)
        assert(syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, 0, 0, 0) == 0);
    pthread_join(thread, 0); //~ deadlocks
    return 0;
}
