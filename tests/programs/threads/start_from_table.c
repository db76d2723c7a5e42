// args: --property assertions
// expect: SAFE
// The start function comes from a table of function pointers.
#include <assert.h>
#include <pthread.h>

int a, b;

void *set_a(void *arg) {
    a = (int)(long)arg;
    return 0;
}

void *set_b(void *arg) {
    b = (int)(long)arg;
    return 0;
}

void *(*const table[])(void *) = {set_a, set_b};

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, table[i], (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(a == 1 && b == 2);
    return 0;
}
