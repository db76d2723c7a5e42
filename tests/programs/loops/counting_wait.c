// args: --property assertions
// expect: UNSAFE assertions
// A loop that counts its iterations is not pure: the bound may be hit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *run(void *arg) {
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int tries = 0;
    pthread_create(&t, 0, run, 0);
    while (!flag && tries < 3)
        tries++;
    assert(flag || tries < 3); //~ assertions
    pthread_join(t, 0);
    return 0;
}
