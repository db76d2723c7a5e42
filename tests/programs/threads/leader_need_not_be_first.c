// args: --property assertions
// expect: UNSAFE assertions
// Two copies of a thread compare a variable with their own number: the one that it names may come second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int entered;
atomic_ulong leader;

void *copy(void *arg) {
    int before = atomic_fetch_add(&entered, 1);
    if (leader == (unsigned long)pthread_self())
        assert(before == 0); //~ assertions
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, copy, 0);
    pthread_create(&t, 0, copy, 0);
    leader = (unsigned long)s;
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
