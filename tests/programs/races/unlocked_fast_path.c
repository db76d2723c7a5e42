// args: --property races
// expect: UNSAFE races
// A counter is updated under the mutex, but read without it.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;

void *run(void *arg) {
    if (count < 10) { //~ races
        pthread_mutex_lock(&m);
        count++; //~ races
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
