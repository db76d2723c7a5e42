// ioctl writes the size of the window to where the caller wants it.
// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#include <pthread.h>
#include <sys/ioctl.h>

static struct winsize window;

static void *run(void *argument) {
    ioctl(0, TIOCGWINSZ, &window); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return window.ws_row; //~ races
}
