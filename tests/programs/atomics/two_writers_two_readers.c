// args: --property assertions
// expect: SAFE
// Two readers cannot see two writes in opposite orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *write_x(void *arg) {
    x = 1;
    return arg;
}

void *write_y(void *arg) {
    y = 1;
    return arg;
}

void *read_xy(void *arg) {
    (void)arg;
    int a = x, b = y;
    return (void *)(long)(a == 1 && b == 0);
}

int main(void) {
    pthread_t t, u, v;
    void *x_first;
    pthread_create(&t, 0, write_x, 0);
    pthread_create(&u, 0, write_y, 0);
    pthread_create(&v, 0, read_xy, 0);
    int b = y, a = x;
    int y_first = b == 1 && a == 0;
    pthread_join(v, &x_first);
    assert(!(x_first && y_first));
    return 0;
}
