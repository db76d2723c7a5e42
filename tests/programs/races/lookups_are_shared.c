// gethostbyname has one result for all threads.
// args: --property races
// args explore: --inputs 1
// expect: UNSAFE races
#include <netdb.h>
#include <pthread.h>

static void *run(void *argument) {
    return gethostbyname("h"); //~ races
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    void *host = gethostbyname("h"); //~ races
    pthread_join(thread, 0);
    return host == 0;
}
