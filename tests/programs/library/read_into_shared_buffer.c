// args: --property races
// expect: UNSAFE races
// A thread looks at a buffer while another one reads a file into it.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

char buffer[4];

void *run(void *arg) {
    int fd = open("input", O_RDONLY);
    if (fd < 0)
        return 0;
    read(fd, buffer, sizeof buffer); //~ races
    close(fd);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    char first = buffer[0]; //~ races
    pthread_join(t, 0);
    return first == buffer[1];
}
