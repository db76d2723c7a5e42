// args: --property assertions --property races
// expect: SAFE
// What a section writes in between is seen by nobody else.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int low, high;

void *writer(void *arg) {
    pthread_mutex_lock(&m);
    for (int i = 1; i <= 20; i++) {
        low = i;
        high = low + 1;
    }
    low = 7;
    pthread_mutex_unlock(&m);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    assert(low == 0 || low == 7);
    assert(high == (low ? 21 : 0));
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
