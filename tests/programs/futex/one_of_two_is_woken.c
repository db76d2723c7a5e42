// A wake of one thread wakes one, also if two sleep; whether the second wake meets the other one is open.
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
    pthread_t one, other;
    pthread_create(&one, 0, sleeper, 0);
    pthread_create(&other, 0, sleeper, 0);
    long first = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    assert(first <= 1);
    long second = syscall(SYS_futex, &word, FUTEX_WAKE, 2, 0, 0, 0);
    assert(first + second <= 2);
    assert(first + second < 2); //~ assertions
    return 0;
}
