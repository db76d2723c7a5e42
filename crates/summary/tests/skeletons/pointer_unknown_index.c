// A pointer stored at an unknown index may be read from every index.
#include <pthread.h>
int x, y, i;
int *slots[4] = {&x, &x, &x, &x};
void *work(void *arg) {
    slots[i & 3] = &y;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    i = 1;
    *slots[2] = 5;
    return 0;
}
