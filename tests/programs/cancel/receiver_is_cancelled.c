// args: --property leaks
// expect: UNSAFE leaks
// A thread that waits for a peer can be cancelled there; nobody frees its buffer then.
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

void *receive(void *arg) {
    char *buffer = malloc(4); //~ leaks
    recv(*(int *)arg, buffer, 4, 0);
    free(buffer);
    return 0;
}

int main(void) {
    pthread_t t;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    pthread_create(&t, 0, receive, &fd);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
