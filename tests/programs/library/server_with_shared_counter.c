// args: --property races
// expect: UNSAFE races
// Each connection gets a thread; the counter of connections has no lock.
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int served;

void *serve(void *arg) {
    int fd = (int)(long)arg;
    char request[2];
    if (recv(fd, request, sizeof request, 0) > 0)
        served++; //~ races
    close(fd);
    return 0;
}

int main(void) {
    struct sockaddr_in here;
    memset(&here, 0, sizeof here);
    here.sin_family = AF_INET;
    here.sin_port = htons(8080);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof here) < 0 || listen(fd, 5) < 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        int peer = accept(fd, 0, 0);
        if (peer < 0)
            continue;
        pthread_t t;
        pthread_create(&t, 0, serve, (void *)(long)peer);
        pthread_detach(t);
    }
    return 0;
}
