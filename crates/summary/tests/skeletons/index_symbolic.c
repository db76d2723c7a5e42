// A symbolic index: one event that may lie anywhere in the array, with its alignment.
#include <pthread.h>
int a[4], i;
void *work(void *arg) {
    a[i & 3] = 7;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    i = 2;
    return a[1];
}
