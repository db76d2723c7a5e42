// args: --property assertions
// expect: UNSAFE assertions
// The two results are mixed up.
#include <assert.h>
#include <pthread.h>

void *run(void *arg) {
    return (void *)((long)arg * 10);
}

int main(void) {
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, 0, run, (void *)1);
    pthread_create(&u, 0, run, (void *)2);
    pthread_join(u, &a);
    pthread_join(t, &b);
    assert((long)a < (long)b); //~ assertions
    return 0;
}
