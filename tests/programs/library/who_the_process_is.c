// args: --property assertions
// args explore: --inputs 0,1
// expect: SAFE
// A process stays who it is, and so does the machine, until the program changes that.
#include <assert.h>
#include <unistd.h>

int main(void) {
    uid_t user = getuid();
    assert(getuid() == user);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    assert(processors > 0 && sysconf(_SC_NPROCESSORS_ONLN) == processors);
    pid_t process = getpid();
    assert(getpid() == process);
    return 0;
}
