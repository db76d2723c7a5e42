// A ticket lock of two threads, with tickets modulo 4: who comes first is served first.
// SAFE --ltl G F at(first_inside)
// SAFE --ltl G F at(second_inside)
// SAFE --property starvation
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar tickets, served;

void *second(void *p) {
    while (1) {
        unsigned char mine = atomic_fetch_add(&tickets, 64);
        while (served != mine)
            ;
    second_inside:
        served += 64;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    while (1) {
        unsigned char mine = atomic_fetch_add(&tickets, 64);
        while (served != mine)
            ;
    first_inside:
        served += 64;
    }
}
