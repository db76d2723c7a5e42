// setenv that overwrites nothing may leave the variable as it is, and still it looks: it races with those who write.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <stdlib.h>

static void *run(void *argument) {
    setenv("A", "1", 0); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    setenv("A", "2", 1); //~ races
    pthread_join(thread, 0);
    return 0;
}
