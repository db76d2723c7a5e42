// unwind: 2
// The loop changes private memory, so its iterations are not pure: they are unrolled, and the rest is cut.
#include <pthread.h>
int flag, x;
void *work(void *arg) {
    int tries[2] = {0, 0};
    while (!flag)
        tries[1]++;
    x = tries[1];
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 1;
    return x;
}
