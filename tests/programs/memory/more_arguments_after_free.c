// Every pointer that a library function reads or writes through is looked at: a use after free is a finding.
// args: --property memory
// args explore: --inputs 0,1
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <ifaddrs.h>
#include <libgen.h>
#include <mqueue.h>
#include <net/if.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

_Bool __VERIFIER_nondet_bool(void);

static int order(const void *a, const void *b) { return a == b; }
static int tell(const char *path, const struct stat *status, int kind) { return !path[0] && status && kind; }

#define FREED(call)                                                                                \
    if (__VERIFIER_nondet_bool()) {                                                                \
        free(p);                                                                                   \
        (void)(call);                                                                              \
        return 0;                                                                                  \
    }

int main(void) {
    void *p = malloc(1000);
    char text[16], *line = 0;
    size_t size = 0;
    wchar_t wide[4];
    glob_t names;
    char *arguments[] = {"true", 0};
    memset(p, 0, 1000);
    FREED(tss_create(p, 0))                                      //~ memory
    FREED(sem_open(p, O_CREAT, 0600, 1))                         //~ memory
    FREED(sem_unlink(p))                                         //~ memory
    FREED(glob(p, 0, 0, &names))                                 //~ memory
    FREED(glob("*", 0, 0, p))                                    //~ memory
    FREED(wordexp(p, &(wordexp_t){0}, 0))                        //~ memory
    FREED(mbstowcs(wide, p, 2))                                  //~ memory
    FREED(mbstowcs(p, "a", 2))                                   //~ memory
    FREED(wcstombs(text, p, 2))                                  //~ memory
    FREED(mbrtowc(wide, "a", 1, p))                              //~ memory
    FREED(waitpid(1, p, 0))                                      //~ memory
    FREED(posix_spawnp(p, "true", 0, 0, arguments, arguments))   //~ memory
    FREED(mq_open(p, O_RDONLY))                                  //~ memory
    FREED(inotify_add_watch(-1, p, IN_CREATE))                   //~ memory
    FREED(opendir(p))                                            //~ memory
    FREED(fgets(p, 2, stdin))                                    //~ memory
    FREED(getline(&line, p, stdin))                              //~ memory
    FREED(fmemopen(p, 8, "w"))                                   //~ memory
    FREED(stat64("/", p))                                        //~ memory
    FREED(prctl(PR_SET_NAME, p))                                 //~ memory
    FREED(dirname(p))                                            //~ memory
    FREED(inet_addr(p))                                          //~ memory
    FREED(inet_ntop(AF_INET, p, text, 16))                       //~ memory
    FREED(statvfs("/", p))                                       //~ memory
    FREED(getresuid(p, p, p))                                    //~ memory
    FREED(initgroups(p, 1))                                      //~ memory
    FREED(times(p))                                              //~ memory
    FREED(utimes("file", p))                                     //~ memory
    FREED(error(0, 0, "%s", (char *)p))                          //~ memory
    FREED(dlopen(p, RTLD_NOW))                                   //~ memory
    FREED(backtrace_symbols(p, 2))                               //~ memory
    FREED(tsearch("key", p, order))                              //~ memory
    FREED(insque(p, 0))                                          //~ memory
    FREED(getifaddrs(p))                                         //~ memory
    FREED(if_nametoindex(p))                                     //~ memory
    FREED(ftw(p, tell, 4))                                       //~ memory
    FREED(open(p, O_CREAT | O_EXCL, 0600))                       //~ memory
    FREED(shm_unlink(p))                                         //~ memory
    FREED(strxfrm(text, p, 4))                                   //~ memory
    FREED(sigaltstack(p, 0))                                     //~ memory
    FREED(random_r(p, &(int){0}))                                //~ memory
    return 0;
}
