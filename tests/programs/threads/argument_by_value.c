// args: --property assertions
// expect: SAFE
// A number passed as a pointer is the thread's own copy.
#include <assert.h>
#include <pthread.h>

int seen[3];

void *run(void *arg) {
    seen[(long)arg]++;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
    return 0;
}
