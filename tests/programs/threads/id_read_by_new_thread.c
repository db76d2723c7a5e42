// args: --property races
// expect: UNSAFE races
// pthread_create may store the number after the thread has begun.
#include <pthread.h>

pthread_t id;
int same;

void *run(void *arg) {
    same = pthread_equal(id, pthread_self()); //~ races
    return arg;
}

int main(void) {
    pthread_create(&id, 0, run, 0); //~ races
    pthread_join(id, 0);
    return 0;
}
