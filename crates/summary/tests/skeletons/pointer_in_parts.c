// A pointer that is written in two halves: what is read back points to its object, somewhere.
#include <pthread.h>
int x[2], y[2];
union {
    int *whole;
    unsigned half[2];
} p = {x}, q = {y};
void *work(void *arg) {
    p.half[0] = q.half[0];
    p.half[1] = q.half[1];
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    q.whole = y + 1;
    *p.whole = 1;
    return x[0] + y[0];
}
