// Who is counted by a wake has slept, and his wait ends without an error. It is counted once.
// args: --property assertions
// expect: SAFE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;
static long result;

static void *sleeper(void *argument) {
    result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    long first = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    long second = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    pthread_join(thread, 0);
    assert(first + second == 0 || (first + second == 1 && result == 0));
    return 0;
}
