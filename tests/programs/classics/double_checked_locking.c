// expect: UNSAFE races
// The first check reads the pointer without any order.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int storage, *instance;

int *get(void) {
    if (!instance) { //~ races
        pthread_mutex_lock(&m);
        if (!instance) {
            storage = 42;
            instance = &storage; //~ races
        }
        pthread_mutex_unlock(&m);
    }
    return instance;
}

void *run(void *arg) {
    (void)arg;
    return (void *)(long)*get();
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
