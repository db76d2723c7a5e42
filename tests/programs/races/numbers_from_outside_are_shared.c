// Results that come from outside are written to where the caller wants them, and race there.
// args: --property races
// expect: UNSAFE races
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static unsigned seed;
static int ends[2], fds[2];
static struct timeval rest;
static time_t second;

static void *run(void *argument) {
    rand_r(&seed);                             //~ races
    pipe(ends);                                //~ races
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);  //~ races
    select(0, 0, 0, 0, &rest);                 //~ races
    time(&second);                             //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    seed = 1;         //~ races
    ends[1] = 0;      //~ races
    fds[0] = 0;       //~ races
    rest.tv_sec = 0;  //~ races
    second = 0;       //~ races
    return 0;
}
