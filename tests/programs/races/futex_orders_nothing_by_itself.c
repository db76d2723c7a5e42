// A wait may end before the wake, so that it protects nothing without a look at the word.
// args: --property races
// expect: UNSAFE races
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int data;

static void *run(void *argument) {
    data = 1; //~ races
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return data; //~ races
}
