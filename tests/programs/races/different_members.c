// args: --property races
// expect: SAFE
// Different members of a structure.
#include <pthread.h>

struct {
    int a, b;
} s;

void *run(void *arg) {
    s.a = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    s.b = 2;
    pthread_join(t, 0);
    return s.a + s.b - 3;
}
