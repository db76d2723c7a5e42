// Every pointer that a library function reads or writes through is looked at: a use after free is a finding.
// args: --property memory
// args explore: --inputs 0,1
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/futex.h>
#include <grp.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

_Bool __VERIFIER_nondet_bool(void);

#define FREED(call)                                                                                \
    if (__VERIFIER_nondet_bool()) {                                                                \
        free(p);                                                                                   \
        (void)(call);                                                                              \
    }

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b; //~ memory
}

int main(void) {
    void *p = malloc(1000);
    time_t second = 0;
    char text[1024];
    void *found;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    char *arguments[] = {"p", "-a", 0};
    struct iovec piece = {p, 8};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    memset(p, 0, 1000);
    FREED(gmtime_r(&second, p))                                  //~ memory
    FREED(gmtime_r(p, &(struct tm){0}))                          //~ memory
    FREED(mktime(p))                                             //~ memory
    FREED(setenv(p, "value", 1))                                 //~ memory
    FREED(setenv("name", p, 1))                                  //~ memory
    FREED(getenv(p))                                             //~ memory
    FREED(getopt(2, p, "a"))                                     //~ memory
    FREED(getopt(2, arguments, p))                               //~ memory
    FREED(sysinfo(p))                                            //~ memory
    FREED(frexp(1.5, p))                                         //~ memory
    FREED(modf(1.5, p))                                          //~ memory
    FREED(poll(p, 1, 0))                                         //~ memory
    FREED(select(1, p, 0, 0, 0))                                 //~ memory
    FREED(select(0, 0, 0, 0, p))                                 //~ memory
    FREED(epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, 0, p))      //~ memory
    FREED(getrlimit(RLIMIT_CORE, p))                             //~ memory
    FREED(setrlimit(RLIMIT_CORE, p))                             //~ memory
    FREED(getrusage(0, p))                                       //~ memory
    FREED(getloadavg(p, 3))                                      //~ memory
    FREED(openlog(p, 0, 0))                                      //~ memory
    FREED(syslog(0, "%s", (char *)p))                            //~ memory
    FREED(pthread_setname_np(pthread_self(), p))                 //~ memory
    FREED(pthread_getname_np(pthread_self(), p, 16))             //~ memory
    FREED(pthread_setaffinity_np(pthread_self(), 8, p))          //~ memory
    FREED(pthread_getaffinity_np(pthread_self(), 8, p))          //~ memory
    FREED(sigaddset(p, SIGINT))                                  //~ memory
    FREED(pthread_sigmask(SIG_BLOCK, p, 0))                      //~ memory
    FREED(sigaction(SIGINT, p, 0))                               //~ memory
    FREED(sigtimedwait(p, 0, &(struct timespec){0, 1}))          //~ memory
    FREED(sscanf(p, "%d", &(int){0}))                            //~ memory
    FREED(sscanf("1", "%d", (int *)p))                           //~ memory
    FREED(strtod(p, 0))                                          //~ memory
    FREED(strtol("1", p, 10))                                    //~ memory
    FREED(rand_r(p))                                             //~ memory
    FREED(qsort(p, 2, 1, compare))                               //~ memory
    FREED(bsearch("a", p, 2, 1, compare))                        //~ memory
    FREED(syscall(SYS_futex, p, FUTEX_WAIT, 1, 0, 0, 0))         //~ memory
    FREED(tcgetattr(0, p))                                       //~ memory
    FREED(tcsetattr(0, TCSANOW, p))                              //~ memory
    FREED(time(p))                                               //~ memory
    FREED(clock_gettime(CLOCK_MONOTONIC, p))                     //~ memory
    FREED(gettimeofday(p, 0))                                    //~ memory
    FREED(nanosleep(p, 0))                                       //~ memory
    FREED(thrd_sleep(p, 0))                                      //~ memory
    FREED(pthread_cond_timedwait(&cond, &mutex, p))              //~ memory
    FREED(pthread_mutex_timedlock(&mutex, p))                    //~ memory
    FREED(warnx("%s", (char *)p))                                //~ memory
    FREED(setlocale(LC_ALL, p))                                  //~ memory
    FREED(regexec(p, "a", 0, 0, 0))                              //~ memory
    FREED(wcslen(p))                                             //~ memory
    FREED(msync(p, 8, MS_SYNC))                                  //~ memory
    FREED(stat(p, &(struct stat){0}))                            //~ memory
    FREED(stat("file", p))                                       //~ memory
    FREED(readv(0, &piece, 1))                                   //~ memory
    FREED(sendmsg(0, &message, 0))                               //~ memory
    FREED(bind(0, p, 16))                                        //~ memory
    FREED(timerfd_settime(0, 0, p, 0))                           //~ memory
    FREED(eventfd_read(eventfd(1, 0), p))                        //~ memory
    FREED(fgetpos(stdin, p))                                     //~ memory
    FREED(fcntl(1, F_SETLK, p))                                  //~ memory
    FREED(ioctl(1, TIOCGWINSZ, p))                               //~ memory
    FREED(getpwnam(p))                                           //~ memory
    FREED(getgrgid_r(0, p, text, sizeof text, (struct group **)&found)) //~ memory
    FREED(gethostbyname(p))                                      //~ memory
    FREED(signalfd(-1, p, 0))                                    //~ memory
    FREED(timer_create(CLOCK_MONOTONIC, 0, p))                   //~ memory
    FREED(timer_settime(0, 0, p, 0))                             //~ memory
    FREED(setitimer(ITIMER_REAL, p, 0))                          //~ memory
    return 0;
}
