// A structure of three words is compared and exchanged in one piece.
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct three {
    long a, b, c;
};

struct three shared;

void *work(void *arg) {
    struct three none = {0, 0, 0}, mine = {1, 1, 0};
    __atomic_compare_exchange(&shared, &none, &mine, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t;
    struct three now;
    pthread_create(&t, 0, work, 0);
    __atomic_load(&shared, &now, __ATOMIC_SEQ_CST);
    assert(now.a == now.b);
    return 0;
}
