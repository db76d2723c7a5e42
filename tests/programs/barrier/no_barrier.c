// args: --property races
// expect: UNSAFE races
// The same without the barrier.
#include <pthread.h>

int done[2];

void *run(void *arg) {
    long i = (long)arg;
    done[i] = 1;             //~ races
    int seen = done[1 - i];  //~ races
    return (void *)(long)seen;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)0);
    pthread_create(&u, 0, run, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
