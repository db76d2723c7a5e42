/* Two threads share a lock that is a flag: whoever sets it first has it.
 *
 * No two threads are ever inside at the same time. But does a thread that wants to enter get in?
 *     raddle check --ltl 'G (waiting == 1 -> F at(inside))' examples/spin_lock.c
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int waiting;

void *other(void *unused) {
    for (;;) {
        while (atomic_exchange(&lock, 1))
            ;
        lock = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (;;) {
        waiting = 1;
        while (atomic_exchange(&lock, 1))
            ;
    inside:
        waiting = 0;
        lock = 0;
    }
}
