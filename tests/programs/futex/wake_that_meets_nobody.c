// A wake may come before the wait: then it counts nobody. And it may come later.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *sleeper(void *argument) {
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    long first = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    assert(first == 1);                                             //~ assertions
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0) == 0);
    pthread_join(thread, 0);
    return 0;
}
