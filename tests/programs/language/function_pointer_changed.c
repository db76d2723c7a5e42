// args: --property assertions
// expect: UNSAFE assertions
// Another thread changes the function pointer between two calls.
#include <assert.h>
#include <pthread.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
int (*f)(void) = one;

void *run(void *arg) {
    f = two;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int a = f(), b = f();
    assert(a == b); //~ assertions
    pthread_join(t, 0);
    return 0;
}
