// unwind: 2
// The same with a number that is only in a register.
#include <pthread.h>
int flag, x;
void *work(void *arg) {
    int tries = 0;
    while (!flag)
        tries++;
    x = tries;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 1;
    return x;
}
