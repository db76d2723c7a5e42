// A function that only computes is executed once and its result instantiated; constant arguments fold.
#include <pthread.h>
int x, y, z;
static int larger(int a, int b) { return a > b ? a : b; }
void *work(void *arg) {
    z = larger(3, 2);
    y = larger(x, 4);
    z = larger(y, x);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    return y + z;
}
