// args: --property assertions
// expect: SAFE
// The largest of the values that threads report.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int largest;

void *report(void *arg) {
    int mine = (int)(long)arg, old = largest;
    while (old < mine && !atomic_compare_exchange_weak(&largest, &old, mine))
        ;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, report, (void *)3);
    pthread_create(&u, 0, report, (void *)5);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(largest == 5);
    return 0;
}
