// property: deadlocks
// The joined thread ends on one path only, and the one that joins may wait for ever.
#include <pthread.h>
int c;
void *work(void *arg) {
    while (c)
        ;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    c = 1;
    pthread_join(t, 0);
    return 0;
}
