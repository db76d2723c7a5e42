// A read-modify-write is a read and a write in one unit.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int y;
void *work(void *arg) {
    y = atomic_fetch_add(&x, 3);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    atomic_exchange(&x, 7);
    return y;
}
