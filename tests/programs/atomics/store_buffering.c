// args: --property assertions
// expect: SAFE
// Under sequential consistency one of the two sees the other's write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *run(void *arg) {
    x = 1;
    (void)arg;
    return (void *)(long)y;
}

int main(void) {
    pthread_t t;
    void *theirs;
    pthread_create(&t, 0, run, 0);
    y = 1;
    int mine = x;
    pthread_join(t, &theirs);
    assert(mine == 1 || theirs == (void *)1);
    return 0;
}
