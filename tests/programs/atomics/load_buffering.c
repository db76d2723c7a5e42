// args: --property assertions
// expect: SAFE
// Two threads cannot both read what the other writes later.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *run(void *arg) {
    int seen = x;
    (void)arg;
    y = 1;
    return (void *)(long)seen;
}

int main(void) {
    pthread_t t;
    void *theirs;
    pthread_create(&t, 0, run, 0);
    int mine = y;
    x = 1;
    pthread_join(t, &theirs);
    assert(!(mine == 1 && theirs == (void *)1));
    return 0;
}
