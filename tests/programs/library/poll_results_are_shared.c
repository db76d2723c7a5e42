// args: --property races
// expect: UNSAFE races
// poll writes what it has found into the array of the caller.
#include <poll.h>
#include <pthread.h>

struct pollfd one = {0, POLLIN, 0};

void *look(void *arg) {
    return one.revents ? arg : 0; //~ races
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    poll(&one, 1, 10); //~ races
    pthread_join(t, 0);
    return 0;
}
