// What the library says about users, the machine and folders is written to objects that threads share here.
// args: --property races
// args explore: --inputs 1
// expect: UNSAFE races
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <pwd.h>
#include <sys/utsname.h>

static struct utsname machine;
static struct passwd user, *found;
static char texts[1024];
static DIR *folder;

static void *run(void *argument) {
    getpwuid_r(0, &user, texts, sizeof texts, &found); //~ races
    readdir(folder);                                   //~ races
    uname(&machine);                                   //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    folder = opendir("/");
    if (!folder)
        return 1;
    pthread_create(&thread, 0, run, 0);
    found = 0;              //~ races
    readdir(folder);        //~ races
    machine.sysname[0] = 0; //~ races
    return 0;
}
