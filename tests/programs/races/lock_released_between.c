// args: --property races
// expect: UNSAFE races
// The pointer is fetched under the mutex, the object is used outside.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int object, *current = &object;

int *get(void) {
    pthread_mutex_lock(&m);
    int *p = current;
    pthread_mutex_unlock(&m);
    return p;
}

void *run(void *arg) {
    (*get())++; //~ races
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
