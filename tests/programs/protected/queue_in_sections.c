// args: --property assertions --property races
// expect: SAFE
// A queue in an array that one thread fills and another one empties, both under one mutex. The
// elements in between are values of the section; only what it leaves can be seen.
#include <assert.h>
#include <pthread.h>

#define N 12

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct {
    int element[N];
    int head, tail;
} queue;
int copy[N];

void *fill(void *arg) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < N; i++) {
        int value = 3 * i + 1;
        queue.element[queue.tail++] = value;
        copy[i] = value;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

void *empty(void *arg) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < N; i++) {
        if (queue.head != queue.tail) {
            int value = queue.element[queue.head++];
            assert(value == copy[i]);
        }
    }
    assert(queue.head == queue.tail);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, fill, 0);
    pthread_create(&u, 0, empty, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
