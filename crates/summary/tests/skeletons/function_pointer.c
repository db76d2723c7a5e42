// A call through a pointer: each function on its own path, then joined.
#include <pthread.h>
int x, y, c;
static int one(void) { x = 1; return 10; }
static int two(void) { x = 2; return 20; }
void *work(void *arg) {
    int (*f)(void) = c ? one : two;
    y = f();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    c = 1;
    return x + y;
}
