// args: --property races
// expect: UNSAFE races
// Two threads copy into the same buffer.
#include <pthread.h>
#include <string.h>

int from[2] = {1, 2}, to[2];

void *run(void *arg) {
    size_t size = sizeof to;
    memcpy(to, from, size); //~ races
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
