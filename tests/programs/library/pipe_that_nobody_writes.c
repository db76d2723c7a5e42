// args: --property deadlocks
// expect: UNSAFE deadlocks
// The reader waits for bytes that never come: its writer is waiting, too.
#include <pthread.h>
#include <unistd.h>

int there[2], back[2];

void *run(void *arg) {
    char c;
    if (read(there[0], &c, 1) == 1) //~ deadlocks
        write(back[1], &c, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    char c = 'x';
    if (pipe(there) != 0 || pipe(back) != 0)
        return 1;
    pthread_create(&t, 0, run, 0);
    read(back[0], &c, 1); //~ deadlocks
    write(there[1], &c, 1);
    pthread_join(t, 0);
    return 0;
}
