// property: races
// One in four threads forgets the mutex.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *visitor(void *unused) {
    int locks = __VERIFIER_nondet_int() % 4 != 0;
    if (locks)
        pthread_mutex_lock(&mutex);
    counter++;
    if (locks)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
