// args: --property assertions
// expect: SAFE
// A name that was unlinked means a new semaphore; who has the old one open keeps it.
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *old = sem_open("/s", O_CREAT, 0600, 5);
    assert(sem_unlink("/s") == 0 && sem_unlink("/s") == -1);
    assert(sem_open("/s", 0) == SEM_FAILED);
    sem_t *new = sem_open("/s", O_CREAT, 0600, 1);
    int a, b;
    sem_getvalue(old, &a);
    sem_getvalue(new, &b);
    assert(old != new && a == 5 && b == 1);
    return 0;
}
