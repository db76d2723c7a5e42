// args: --property assertions
// expect: UNSAFE assertions
// The same structure without _Atomic is written field by field.
#include <assert.h>
#include <pthread.h>

struct triple {
    int a, b, c;
};

struct triple p;

void *run(void *arg) {
    p.a = 1;
    p.b = 1;
    p.c = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int a = p.a, c = p.c;
    assert(a == c); //~ assertions
    pthread_join(t, 0);
    return 0;
}
