// args: --property races --first
// args explore: --inputs 0
// expect: UNSAFE races
#include <glob.h>
#include <pthread.h>

static glob_t names;

static void *run(void *argument) {
    glob("*.c", 0, 0, &names); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return names.gl_pathc != 0; //~ races
}
