// args: --property races,assertions
// args auto: --unwind 1
// args staged: --unwind 1
// args context: --unwind 1
// args unwinding: --unwind 1
// expect: SAFE
// expect auto, staged, context, unwinding: BOUNDED (a wait that a wake ends is no pure iteration)
// The mutex of "Futexes are tricky": 0 free, 1 taken, 2 taken and somebody may sleep.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word;
int count;

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0);
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

void *run(void *arg) {
    lock();
    count++;
    unlock();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    assert(count == 2);
    return 0;
}
