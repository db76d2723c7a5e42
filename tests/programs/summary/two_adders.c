// args: --property assertions
// expect: UNSAFE assertions
// Two threads add one to a small number and two to a larger one, in three reads and two writes of which one each
// happens; only one after the other gives 3.
#include <assert.h>
#include <pthread.h>

int x;

void *add(void *arg) {
    if (x < 1)
        x = x + 1;
    else
        x = x + 2;
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 3); //~ assertions
    return 0;
}
