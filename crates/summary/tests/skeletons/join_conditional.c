// Joined on one path only.
#include <pthread.h>
int x, c;
void *work(void *arg) {
    x = 1;
    c = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (c)
        pthread_join(t, 0);
    x = 2;
    return 0;
}
