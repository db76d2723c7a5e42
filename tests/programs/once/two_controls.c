// args: --property assertions
// expect: UNSAFE assertions
// Two controls run the function twice.
#include <assert.h>
#include <pthread.h>

pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
int x;

void initialise(void) {
    x++;
}

int main(void) {
    pthread_once(&first, initialise);
    pthread_once(&first, initialise);
    assert(x == 1);
    pthread_once(&second, initialise);
    assert(x == 1); //~ assertions
    return 0;
}
