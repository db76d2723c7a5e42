// unwind: 1
// The exit test of a counting loop folds each time: it is unrolled completely, whatever the bound.
#include <pthread.h>
int a[3];
void *work(void *arg) {
    for (int i = 0; i < 3; i++)
        a[i] = i;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return a[1];
}
