/* The process and what surrounds it: answers have the native sizes and ranges, and what can only
 * fail in one way fails so. */
#include "driver.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

int *model___errno_location(void);
char *model_getcwd(char *, size_t);
int model_statvfs(const char *, struct statvfs *), model_getgroups(int, gid_t *), model_setuid(uid_t);
int model_getresuid(uid_t *, uid_t *, uid_t *);
uid_t model_getuid(void), model_geteuid(void);
long model_times(struct tms *);
int model_stat(const char *, struct stat *), model_mkstemp(char *), model_ioctl(int, unsigned long, ...);
long model_lseek(int, long, int), model_sysconf(int);
ssize_t model_readlink(const char *, char *, size_t);
int model_getrlimit(int, struct rlimit *), model_setrlimit(int, const struct rlimit *);
int model_getrusage(int, struct rusage *), model_getloadavg(double *, int);
int model_gethostname(char *, size_t);
long model_time(time_t *);
int model_clock_gettime(int, struct timespec *), model_gettimeofday(struct timeval *, void *);
int model_rand(void), model_rand_r(unsigned *);
double model_drand48(void);
void *model_mmap(void *, size_t, int, int, int, long);
int model_munmap(void *, size_t);
int model_timer_create(int, struct sigevent *, timer_t *), model_timer_delete(timer_t);
int model_timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *);
int model_timer_gettime(timer_t, struct itimerspec *), model_timer_getoverrun(timer_t);
int model_setitimer(int, const struct itimerval *, struct itimerval *);
struct passwd *model_getpwuid(uid_t);
int model_getpwuid_r(uid_t, struct passwd *, char *, size_t, struct passwd **);
struct group *model_getgrgid(gid_t);
struct hostent *model_gethostbyname(const char *);
struct servent *model_getservbyname(const char *, const char *);

/* An object with a fence behind it that nobody may touch. */
#define FENCED(type, name)                                                                         \
    struct {                                                                                       \
        type object;                                                                               \
        char behind[8];                                                                            \
    } name;                                                                                        \
    memset(&name, '#', sizeof name)
#define WHOLE(name) EXPECT(memcmp(name.behind, "########", 8) == 0, "%s is smaller", #name)

static void same_failure(const char *what, long a, long b) {
    EXPECT(a == b, "%s: %ld %ld", what, a, b);
    EXPECT(*model___errno_location() == errno, "%s: errno %d %d", what, *model___errno_location(), errno);
}

static void files(void) {
    FENCED(struct stat, status);
    if (model_stat("/", &status.object) == 0)
        EXPECT(status.object.st_size >= 0, "size");
    WHOLE(status);
    FENCED(struct statvfs, system);
    model_statvfs("/", &system.object);
    WHOLE(system);
    char path[16] = "###############", small[4] = "abc", other[4] = "abc";
    if (model_getcwd(path, 8))
        EXPECT(path[0] == '/' && memchr(path, 0, 8), "folder");
    EXPECT(path[8] == '#', "folder beyond its room");
    memset(path, '#', sizeof path);
    ssize_t length = model_readlink("/link", path, 8);
    EXPECT(length <= 8 && path[8] == '#', "link");
    same_failure("mkstemp", model_mkstemp(small), mkstemp(other));
    same_failure("lseek", model_lseek(-1, 0, SEEK_SET), lseek(-1, 0, SEEK_SET));
    int number;
    same_failure("ioctl", model_ioctl(-1, FIONREAD, &number), ioctl(-1, FIONREAD, &number));
    FENCED(struct winsize, window);
    model_ioctl(0, TIOCGWINSZ, &window.object);
    WHOLE(window);
}

static void process(void) {
    FENCED(struct rlimit, limit);
    if (model_getrlimit(RLIMIT_NOFILE, &limit.object) == 0)
        EXPECT(limit.object.rlim_cur <= limit.object.rlim_max, "limits");
    WHOLE(limit);
    FENCED(struct rusage, usage);
    model_getrusage(RUSAGE_SELF, &usage.object);
    WHOLE(usage);
    struct rlimit wrong = {2, 1};
    same_failure("setrlimit", model_setrlimit(RLIMIT_NOFILE, &wrong), setrlimit(RLIMIT_NOFILE, &wrong));
    EXPECT(model_sysconf(_SC_PAGESIZE) == sysconf(_SC_PAGESIZE), "page");
    EXPECT(model_sysconf(_SC_NPROCESSORS_ONLN) > 0, "processors");
    EXPECT(model_sysconf(_SC_NPROCESSORS_ONLN) == model_sysconf(_SC_NPROCESSORS_ONLN), "processors that stay");
    FENCED(struct tms, used);
    EXPECT(model_times(&used.object) >= 0, "ticks");
    WHOLE(used);
    uid_t user, effective, saved;
    EXPECT(model_getresuid(&user, &effective, &saved) == 0, "who it is");
    EXPECT(model_getuid() == user && model_geteuid() == effective, "it stays so");
    EXPECT(abs(model_setuid(user)) <= 1, "setuid");
    gid_t groups[3] = {1, 2, 3};
    EXPECT(model_getgroups(2, groups) <= 2 && groups[2] == 3, "groups");
    same_failure("getgroups", model_getgroups(-1, groups), getgroups(-1, groups));
    double loads[4] = {-1, -1, -1, -1};
    int given = model_getloadavg(loads, 5);
    EXPECT(given == -1 || (given >= 1 && given <= 3 && loads[given - 1] >= 0), "%d loads", given);
    EXPECT(loads[3] == -1, "loads beyond 3");
    char name[9] = "########";
    if (model_gethostname(name, 4) == 0)
        EXPECT(memchr(name, 0, 4), "host");
    EXPECT(name[4] == '#', "host beyond its room");
    unsigned seed = 1;
    EXPECT(model_rand() >= 0 && model_rand_r(&seed) >= 0, "random");
    double part = model_drand48();
    EXPECT(part >= 0 && part < 1, "part %f", part);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS, access = PROT_READ | PROT_WRITE;
    EXPECT(model_mmap(0, 0, access, flags, -1, 0) == MAP_FAILED, "mapping of nothing");
    char *memory = model_mmap(0, 100, access, flags, -1, 0);
    if (memory != MAP_FAILED) {
        for (int i = 0; i < 100; i++)
            EXPECT(memory[i] == 0, "a new page has zeros");
        EXPECT(model_munmap(memory, 100) == 0, "munmap");
    }
}

static void clocks(void) {
    FENCED(struct timespec, now);
    FENCED(struct timeval, today);
    FENCED(struct itimerspec, times);
    FENCED(struct itimerval, old);
    model_clock_gettime(CLOCK_REALTIME, &now.object);
    EXPECT(now.object.tv_nsec >= 0 && now.object.tv_nsec < 1000000000, "nanoseconds");
    WHOLE(now);
    model_gettimeofday(&today.object, 0);
    EXPECT(today.object.tv_usec >= 0 && today.object.tv_usec < 1000000, "microseconds");
    WHOLE(today);
    EXPECT(model_setitimer(7, 0, 0) == -1 && *model___errno_location() == EINVAL, "no such timer");
    model_setitimer(ITIMER_REAL, 0, &old.object);
    WHOLE(old);
    static timer_t timer;
    struct itimerspec soon = {{0, 0}, {100, 0}};
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    if (timer || model_timer_create(CLOCK_MONOTONIC, &none, &timer) != 0)
        return;
    EXPECT(model_timer_settime(timer, 0, &soon, 0) == 0, "settime");
    EXPECT(model_timer_gettime(timer, &times.object) == 0, "gettime");
    WHOLE(times);
    EXPECT(model_timer_getoverrun(timer) >= 0, "overruns");
    EXPECT(model_timer_delete(timer) == 0 && model_timer_delete(timer) == -1, "delete");
    EXPECT(model_timer_settime(timer, 0, &soon, 0) == -1 && *model___errno_location() == EINVAL, "gone");
}

static void names(void) {
    struct passwd *user = model_getpwuid(0), own, *found;
    EXPECT(!user || strlen(user->pw_name) + strlen(user->pw_shell) + strlen(user->pw_dir) < 100, "user");
    char buffer[1024];
    EXPECT(model_getpwuid_r(0, &own, buffer, 1, &found) == getpwuid_r(0, &own, buffer, 1, &found), "room");
    if (model_getpwuid_r(0, &own, buffer, sizeof buffer, &found) == 0 && found)
        EXPECT(found == &own && own.pw_dir >= buffer && own.pw_dir < buffer + sizeof buffer, "buffer");
    struct group *group = model_getgrgid(0);
    EXPECT(!group || (strlen(group->gr_name) < 100 && !group->gr_mem[0]), "group");
    struct hostent *host = model_gethostbyname("localhost");
    EXPECT(!host || (host->h_addrtype == AF_INET && host->h_length == 4 && host->h_addr_list[0] &&
                     !host->h_addr_list[1] && strcmp(host->h_name, "localhost") == 0), "host");
    struct servent *service = model_getservbyname("http", "tcp");
    EXPECT(!service || strcmp(service->s_name, "http") == 0, "service");
}

int main(void) {
    time_t last = 0;
    for (int i = 0; i < 200; i++) {
        files();
        process();
        clocks();
        names();
    }
    EXPECT(model_time(&last) == last, "time");
    return finish();
}
