// args: --property races
// expect: UNSAFE races
// The number of a new thread is stored while another thread reads the variable.
#include <pthread.h>

pthread_t id;

void *idle(void *arg) {
    return arg;
}

void *run(void *arg) {
    pthread_create(&id, 0, idle, 0); //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_t seen = id; //~ races
    pthread_join(t, 0);
    return seen != 0;
}
