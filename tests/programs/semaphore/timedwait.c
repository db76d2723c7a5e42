// args: --property assertions
// expect: UNSAFE assertions
// A timed wait may end without the post.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

void *run(void *arg) {
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec time = {0, 0};
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, run, 0);
    int result = sem_timedwait(&s, &time);
    assert(result == 0); //~ assertions
    pthread_join(t, 0);
    return 0;
}
