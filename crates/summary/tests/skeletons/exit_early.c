// A thread may end the program or itself on the way: what follows does not happen on that path.
#include <pthread.h>
#include <stdlib.h>
int x, y;
void *work(void *arg) {
    if (x == 1)
        pthread_exit((void *)7);
    if (x == 2)
        exit(0);
    y = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    pthread_join(t, 0);
    return y;
}
