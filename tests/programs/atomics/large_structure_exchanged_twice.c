// A structure of three words is exchanged twice; what lies between is seen, what lies within an exchange is not.
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct three {
    long a, b, c;
};

struct three shared;

void *work(void *arg) {
    struct three none = {0, 0, 0}, first = {1, 1, 1}, second = {2, 3, 2};
    __atomic_compare_exchange(&shared, &none, &first, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_compare_exchange(&shared, &first, &second, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t;
    struct three now;
    pthread_create(&t, 0, work, 0);
    __atomic_load(&shared, &now, __ATOMIC_SEQ_CST);
    assert(now.a == now.c);
    assert(now.a != 1); //~ assertions
    assert(now.a == now.b); //~ assertions
    return 0;
}
