// args: --property assertions --property races
// expect: UNSAFE assertions
// A third thread leaves what the second one computed from what the first one left.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stage;

void *first(void *arg) {
    pthread_mutex_lock(&m);
    if (stage == 0) {
        stage = 1;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    if (stage == 1) {
        stage = 20;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

void *third(void *arg) {
    pthread_mutex_lock(&m);
    if (stage == 20) {
        stage = 300;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, third, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, first, 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], 0);
    }
    assert(stage == 1 || stage == 20 || stage == 300);
    assert(stage != 300); //~ assertions
    return 0;
}
