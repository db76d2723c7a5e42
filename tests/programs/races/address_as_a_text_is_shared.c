// inet_ntoa writes to one place for all: threads that call it race.
// args: --property races
// expect: UNSAFE races
#include <arpa/inet.h>
#include <pthread.h>

static void *run(void *argument) {
    struct in_addr address = {htonl(INADDR_LOOPBACK)};
    return inet_ntoa(address); //~ races
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    inet_ntoa((struct in_addr){0}); //~ races
    pthread_join(thread, 0);
    return 0;
}
