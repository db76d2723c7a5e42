// property: overflow
// A division is checked, and what follows happens only where it is defined.
#include <pthread.h>
int x, y;
void *work(void *arg) {
    y = 100 / x;
    return arg;
}
int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, work, 0);
    x = 0;
    return y;
}
