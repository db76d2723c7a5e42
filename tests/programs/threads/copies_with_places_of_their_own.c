// args: --property assertions
// expect: UNSAFE assertions
// One function, two places: which of the threads writes first can be seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *put(void *place) {
    *(atomic_int *)place = 1;
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, put, &x);
    pthread_create(&t, 0, put, &y);
    int second = y, first = x;
    assert(!second || first); //~ assertions
    return 0;
}
