// args: --property assertions
// expect: UNSAFE assertions
// The first of two copies makes an object and never ends: main can go on if it joins the other one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int tickets, seen, ready;
void *left;

void *copy(void *arg) {
    int ticket = tickets++;
    seen++;
    if (ticket == 0) {
        left = malloc(4);
        ready = 1;
        while (ready)
            ;
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, copy, 0);
    pthread_create(&u, 0, copy, 0);
    while (!ready)
        ;
    pthread_join(t, 0);
    assert(0); //~ assertions
}
