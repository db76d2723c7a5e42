// Szymanski for two threads: free of starvation under weak fairness (docs/ltl.md has the proof), not without any.
// UNSAFE --fairness none --ltl G F at(first_inside)
#include <pthread.h>
#include <stdatomic.h>

// 1 wants in, 3 stands in the doorway, 2 waits there for the other, 4 has closed the door.
atomic_uchar first, second;

void *other(void *p) {
    while (1) {
        second = 1;
        while (first >= 3)
            ;
        second = 3;
        if (first == 1) {
            second = 2;
            while (first != 4)
                ;
        }
        second = 4;
        while (first >= 2)
            ;
        second = 0;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (1) {
        first = 1;
        while (second >= 3)
            ;
        first = 3;
        if (second == 1) {
            first = 2;
            while (second != 4)
                ;
        }
        first = 4;
    first_inside:
        while (second == 2 || second == 3)
            ;
        first = 0;
    }
}
