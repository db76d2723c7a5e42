// waitpid writes how a child has ended, and posix_spawn its number, while another thread looks.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

static pid_t child;
static int status;

static void *run(void *argument) {
    char *arguments[] = {"true", 0};
    if (posix_spawnp(&child, "true", 0, 0, arguments, arguments) == 0) //~ races
        waitpid(-1, &status, 0); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return child == 0 || status != 0; //~ races
}
