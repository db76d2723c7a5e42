// args: --property assertions
// expect: SAFE
// Relaxed accesses with fences.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

void *run(void *arg) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int f = atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int d = atomic_load_explicit(&data, memory_order_relaxed);
    assert(!f || d);
    pthread_join(t, 0);
    return 0;
}
