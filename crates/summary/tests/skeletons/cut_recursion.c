// unwind: 1
// Recursion that depends on shared memory is cut off at the bound.
#include <pthread.h>
int x;
int depth(int n) { return x > n ? depth(n + 1) : n; }
void *work(void *arg) {
    x = depth(0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    return 0;
}
