// args: --property races
// expect: SAFE
// Reading at the same time is no race.
#include <pthread.h>

int x = 1;

void *run(void *arg) {
    (void)arg;
    return (void *)(long)x;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
