// One thread fills a queue in an array, another one empties it, each in one critical section.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 100
#endif
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct {
    int element[N];
    int head, tail, amount;
} queue;
int copy[N];
_Bool filled;

void *fill(void *a) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < N; i++) {
        int value = __VERIFIER_nondet_int();
        queue.element[queue.tail] = value;
        queue.tail++;
        queue.amount++;
        copy[i] = value;
    }
    filled = 1;
    pthread_mutex_unlock(&m);
    return a;
}

void *empty(void *a) {
    pthread_mutex_lock(&m);
    if (filled) {
        for (int i = 0; i < N; i++) {
            if (queue.head != queue.tail) {
                int value = queue.element[queue.head];
                queue.head++;
                queue.amount--;
                assert(value == copy[i]);
            }
        }
        filled = 0;
    }
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, fill, 0);
    pthread_create(&u, 0, empty, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
