// unwind: 1
// A thread that creates a copy of itself is cut off at the bound.
#include <pthread.h>
int x;
void *work(void *arg) {
    pthread_t t;
    x = x + 1;
    pthread_create(&t, 0, work, 0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return x;
}
