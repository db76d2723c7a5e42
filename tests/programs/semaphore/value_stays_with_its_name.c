// What was posted is there when the semaphore is opened again.
// args: --property memory,assertions
// expect: SAFE
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *sem = sem_open("/name", O_CREAT, 0600, 0);
    sem_post(sem);
    sem_close(sem);
    sem = sem_open("/name", O_CREAT, 0600, 5);
    assert(sem_trywait(sem) == 0);
    assert(sem_trywait(sem) != 0);
    return sem_close(sem);
}
