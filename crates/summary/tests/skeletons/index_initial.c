// A read at a symbolic index of an array that nobody writes while threads run: initial contents, no event.
#include <pthread.h>
int a[4] = {3, 1, 4, 1}, i, y;
void *work(void *arg) {
    y = a[i & 3];
    return arg;
}
int main(void) {
    pthread_t t;
    a[2] = 9;
    pthread_create(&t, 0, work, 0);
    i = 2;
    return a[0] + y;
}
