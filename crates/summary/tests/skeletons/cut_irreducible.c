// unwind: 1
// A loop that is entered past its head: nothing to compare an iteration with, so each one counts.
#include <pthread.h>
int x;
void *work(void *arg) {
    if (x)
        goto inside;
again:
    x = 1;
inside:
    if (x == 3)
        goto again;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 3;
    return 0;
}
