// unwind: 2
// Pure on one path only: the next iteration is taken only where this one wrote.
#include <pthread.h>
int flag, x;
void *work(void *arg) {
    int seen;
    while ((seen = flag) != 1)
        if (seen == 2)
            x = x + 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 2;
    flag = 1;
    return x;
}
