// args: --property assertions
// expect: SAFE
// exit in a thread ends the program: main never gets past the join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    (void)arg;
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
