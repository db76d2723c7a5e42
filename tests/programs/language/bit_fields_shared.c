// args: --property races
// expect: UNSAFE races
// Neighbouring bit-fields share a byte: writing both at a time is a race.
#include <pthread.h>

struct {
    unsigned a : 1, b : 1;
} f;

void *run(void *arg) {
    f.a = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    f.b = 1; //~ races
    pthread_join(t, 0);
    return 0;
}
