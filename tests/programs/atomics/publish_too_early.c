// args: --property assertions
// expect: UNSAFE assertions
// The flag is set before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *run(void *arg) {
    atomic_store_explicit(&flag, 1, memory_order_release);
    data = 42;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 42); //~ assertions
    pthread_join(t, 0);
    return 0;
}
