// A wake counts no more threads than there are: one waits.
// args: --property assertions
// expect: SAFE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *sleeper(void *argument) {
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, 0, 0, 0);
    assert(woken == 0 || woken == 1);
    pthread_join(thread, 0);
    return 0;
}
