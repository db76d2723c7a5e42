// args: --property assertions
// expect: UNSAFE assertions
// A violation stands although something unsupported is reached elsewhere.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

jmp_buf there;
int x;

void *run(void *arg) {
    longjmp(there, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = 1;
    assert(x == 0); //~ assertions
    return 0;
}
