// args: --property memory
// expect: UNSAFE memory
// A logger that is a function of the library reads what it is given as it does when it is called by its name.
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

static void (*logger)(int, const char *, ...) = syslog;

struct output {
    int (*text)(const char *);
};

static const struct output output = {puts};

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *name = malloc(4);
    name[0] = 0;
    logger(LOG_INFO, "%d: %s", 1, name);
    output.text(name);
    free(name);
    if (__VERIFIER_nondet_bool())
        logger(LOG_INFO, "%d: %s", 1, name); //~ memory
    else
        output.text(name); //~ memory
    return 0;
}
