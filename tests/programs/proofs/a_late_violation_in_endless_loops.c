// args: --property assertions
// expect: UNSAFE assertions
// The flag is taken without looking at it again: both threads get in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken, inside, rounds;

void *serve(void *unused) {
    for (;;) {
        if (taken)
            continue;
        taken = 1;
        inside++;
        assert(inside == 1); //~ assertions
        inside--;
        taken = 0;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    serve(0);
}
