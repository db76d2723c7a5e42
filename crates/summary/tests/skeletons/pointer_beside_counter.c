// A counter in the same object as a pointer is no part of it: the pointer keeps its two places.
#include <pthread.h>
int x, y;
struct {
    int *at;
    int count;
} q = {&x, 0};
void *work(void *arg) {
    q.at = &y;
    q.count++;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    *q.at = 1;
    q.count++;
    return x + y;
}
