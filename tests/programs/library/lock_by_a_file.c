// A file that only one caller can make is a lock; who goes on without it races.
// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int kept, open_to_all;

static void work(void) {
    int file = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0)
        open_to_all++; //~ races
    if (file < 0)
        return;
    kept++;
    close(file);
    unlink("lock");
}

static void *run(void *argument) {
    work();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    work();
    pthread_join(thread, 0);
    return 0;
}
