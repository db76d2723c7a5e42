// A named semaphore is gone for this program once it was closed as often as opened.
// args: --property memory
// expect: UNSAFE memory
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *one, *same;

static void *post(void *argument) {
    sem_post(one); //~ memory
    return argument;
}

int main(void) {
    pthread_t thread;
    one = sem_open("/name", O_CREAT, 0600, 0);
    same = sem_open("/name", 0);
    if (one == SEM_FAILED || same == SEM_FAILED)
        return 1;
    sem_close(same);
    pthread_create(&thread, 0, post, 0);
    sem_close(one);
    pthread_join(thread, 0);
    return 0;
}
