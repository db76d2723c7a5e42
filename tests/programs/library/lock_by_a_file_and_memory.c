// Likewise by an object of shared memory, whose names are others than those of files; at most one of the threads gets it.
// args: --property races,assertions
// args explore: --inputs 0,1
// expect: SAFE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

int mine, made;

static void *run(void *argument) {
    if (shm_open("/lock", O_CREAT | O_EXCL | O_RDWR, 0600) >= 0)
        mine++;
    return argument;
}

int main(void) {
    pthread_t thread;
    made = open("/lock", O_CREAT | O_EXCL | O_RDWR, 0600);
    pthread_create(&thread, 0, run, 0);
    run(0);
    pthread_join(thread, 0);
    assert(mine <= 1);
    return 0;
}
