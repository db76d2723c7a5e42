// args: --property assertions,memory
// expect: SAFE
// A thread's variables have the alignment that they ask for, also beyond that of a line of a cache.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *run(void *arg) {
    char before = 1;
    _Alignas(256) char table[3];
    _Alignas(1024) static _Thread_local char own[2];
    assert((uintptr_t)table % 256 == 0 && (uintptr_t)own % 1024 == 0);
    table[2] = before;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    return 0;
}
