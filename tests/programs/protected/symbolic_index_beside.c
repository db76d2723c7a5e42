// args: --property assertions --property races
// expect: UNSAFE assertions
// The index that a section writes to is not known: it may be that of the next field.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct {
    int slot[2];
    int tail;
} queue;

void *put(void *arg) {
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 2) {
        return arg;
    }
    pthread_mutex_lock(&m);
    int before = queue.tail;
    int *slots = (int *)&queue;
    slots[at] = before + 1;
    assert(queue.tail == before); //~ assertions
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, put, 0);
    pthread_create(&u, 0, put, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
