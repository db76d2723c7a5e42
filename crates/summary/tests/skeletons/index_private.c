// A symbolic index into private memory is a choice among values, no event.
#include <pthread.h>
int i, y;
void *work(void *arg) {
    int a[3] = {10, 20, 30};
    unsigned k = i;
    if (k < 3)
        y = a[k];
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    i = 2;
    return y;
}
