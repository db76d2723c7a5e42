// args: --property assertions --property races
// expect: UNSAFE races assertions
// The same with a plain variable: a race, and a value that changes inside the section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *careless(void *arg) {
    x = 5; //~ races
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    int before = x; //~ races
    int again = x; //~ races
    pthread_mutex_unlock(&m);
    assert(again == before); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, careless, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
