// args: --property assertions
// expect: UNSAFE assertions
// The smaller value may overwrite the larger one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int largest;

void *report(void *arg) {
    int mine = (int)(long)arg;
    if (largest < mine)
        largest = mine;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, report, (void *)3);
    pthread_create(&u, 0, report, (void *)5);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(largest == 5); //~ assertions
    return 0;
}
