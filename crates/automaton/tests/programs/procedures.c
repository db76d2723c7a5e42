// A function that is called in three places, and threads that are created in two.
#include <pthread.h>

volatile int shared;

static int read_it(void) {
    return shared;
}

void *work(void *unused) {
    int sum = read_it();
    sum += read_it();
    sum += read_it();
    shared = sum;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
