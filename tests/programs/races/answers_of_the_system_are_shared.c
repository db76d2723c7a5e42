// What the library says about the process, and what it reads for it, races with others who look.
// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#define _GNU_SOURCE
#include <err.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

_Bool __VERIFIER_nondet_bool(void);

#define EITHER(change)                                                                             \
    if (__VERIFIER_nondet_bool()) {                                                                \
        change;                                                                                    \
        return 0;                                                                                  \
    }

static struct rlimit limit;
static char line[2], name[2], message[2], host[2];

static void *run(void *argument) {
    getrlimit(RLIMIT_NOFILE, &limit);                 //~ races
    gethostname(host, sizeof host);                   //~ races
    fgets(line, sizeof line, stdin);                  //~ races
    fnmatch("*", name, 0);                            //~ races
    warnx("%s", message);                             //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    EITHER(limit.rlim_cur = 0)         //~ races
    EITHER(host[0] = 0)                //~ races
    EITHER(line[0] = 0)                //~ races
    EITHER(name[0] = 'a')              //~ races
    EITHER(message[0] = 'a')           //~ races
    return 0;
}
