// expect: SAFE
// Tickets are served in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int x;

void *run(void *arg) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    x++;
    atomic_store(&serving, mine + 1);
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
    return 0;
}
