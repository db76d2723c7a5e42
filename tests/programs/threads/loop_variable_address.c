// args: --property assertions
// expect: UNSAFE assertions
// Threads get the address of the loop variable, which goes on.
#include <assert.h>
#include <pthread.h>

int seen[3];

void *run(void *arg) {
    __sync_fetch_and_add(&seen[*(int *)arg], 1);
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
    assert(seen[0] == 1 && seen[1] == 1); //~ assertions
    return 0;
}
