// Values of two branches are joined under the branch's own condition.
#include <pthread.h>
int x, y;
void *work(void *arg) {
    int a;
    if (x > 3)
        a = 1;
    else
        a = x;
    y = a;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 5;
    return y;
}
