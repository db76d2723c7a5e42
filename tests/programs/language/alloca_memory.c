// args: --property assertions --property memory
// expect: SAFE
// Memory from alloca lives until the function returns.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

void *run(void *arg) {
    *(int *)arg = 4;
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = alloca(sizeof *p);
    pthread_create(&t, 0, run, p);
    pthread_join(t, 0);
    assert(*p == 4);
    return 0;
}
