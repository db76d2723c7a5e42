// A join of a known thread is a mark, and what the thread returned is known.
#include <pthread.h>
int x;
void *work(void *arg) {
    x = 1;
    return (void *)5;
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    x = 2;
    pthread_join(t, &result);
    x = (int)(long)result;
    return 0;
}
