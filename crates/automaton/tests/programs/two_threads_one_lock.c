/* Two threads, one lock, one shared variable: the shape of the example in paper 000. */
#include <assert.h>
#include <pthread.h>

int g;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    int x = 0;
    pthread_mutex_lock(&lock);
    if (g != 1) {
        g = 1;
        x++;
    }
    pthread_mutex_unlock(&lock);
    assert(x > 0);
    return unused;
}

void *second(void *unused) {
    int y = 0;
    pthread_mutex_lock(&lock);
    if (g != 0) {
        g = 0;
        y++;
    }
    pthread_mutex_unlock(&lock);
    g = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
