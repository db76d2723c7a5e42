// getenv in one thread and setenv in another: POSIX protects neither from the other.
// args: --property races,memory
// expect: UNSAFE races
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg) {
    return getenv("HOME"); //~ races
}

int main(void) {
    pthread_t thread;
    setenv("LANG", "C", 1);
    pthread_create(&thread, NULL, reader, NULL);
    setenv("TZ", "UTC", 1); //~ races
    pthread_join(thread, NULL);
    unsetenv("TZ");
    return 0;
}
