// What is not modelled is cut off under the condition of its path.
#include <pthread.h>
int x;
void *work(void *arg) {
    if (x)
        __asm__ volatile("hlt" : : : "memory");
    x = 2;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    return 0;
}
