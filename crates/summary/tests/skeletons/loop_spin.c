// A spin loop is pure: one read, and only executions in which it is the last one; no cut.
#include <pthread.h>
int flag, x;
void *work(void *arg) {
    while (!flag)
        ;
    x = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 1;
    return x;
}
