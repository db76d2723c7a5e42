// A thread's copy of a thread-local variable is private until its address is given away.
#include <pthread.h>
_Thread_local int own = 1, lent = 2;
int *p, x;
void *work(void *arg) {
    own = own + 1;
    p = &lent;
    x = own + lent;
    return arg;
}
int main(void) {
    pthread_t t;
    p = &own;
    pthread_create(&t, 0, work, 0);
    *p = 5;
    return x;
}
