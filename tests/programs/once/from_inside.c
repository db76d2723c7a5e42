// args: --property deadlocks
// expect: UNSAFE deadlocks
// The function waits for its own end.
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void) {
    pthread_once(&once, initialise); //~ deadlocks
}

int main(void) {
    pthread_once(&once, initialise);
    return 0;
}
