// expect: SAFE
// With an atomic pointer it is right.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int storage, made;
_Atomic(int *) instance;

int *get(void) {
    int *p = atomic_load_explicit(&instance, memory_order_acquire);
    if (!p) {
        pthread_mutex_lock(&m);
        p = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!p) {
            storage = 42;
            made++;
            p = &storage;
            atomic_store_explicit(&instance, p, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    return p;
}

void *run(void *arg) {
    assert(*get() == 42);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(made == 1);
    return 0;
}
