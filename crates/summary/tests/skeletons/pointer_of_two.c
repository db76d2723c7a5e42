// A pointer that is one of two: an event with both places, or none at all where the object is private.
#include <pthread.h>
int x, y, c;
void *work(void *arg) {
    int own = 0;
    int *p = c ? &x : &own;
    *p = 3;
    y = own;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    c = 1;
    return x + y;
}
