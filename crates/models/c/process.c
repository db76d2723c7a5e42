/* The process and the machine it runs on: any number that fits.
 *
 * left out: numbers of the process that change, a name for the log that changes or ends after openlog, limits that bite (a process may be told any limit
 * and none is enforced), groups and sessions; fork is not modelled (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

static int any_positive(void) {
    int value = __raddle_input_u32() & 0x7fffffff;
    return value ? value : 1;
}

/* One process, so one number; a different one in each run. */
int getpid(void) {
    static int number;
    __raddle_atomic_begin();
    if (number == 0)
        number = any_positive();
    int result = number;
    __raddle_atomic_end();
    return result;
}

int getppid(void) { return any_positive(); }
int gettid(void) { return (int)__raddle_self(); }
int getpagesize(void) { return 4096; }
unsigned getuid(void) { return __raddle_input_u32(); }
unsigned geteuid(void) { return __raddle_input_u32(); }
unsigned getgid(void) { return __raddle_input_u32(); }
unsigned getegid(void) { return __raddle_input_u32(); }
unsigned umask(unsigned mask) { return __raddle_input_u32() & 0777; }
int isatty(int fd) { return __raddle_choice(2) ? 1 : (fails(), 0); }
int nice(int step) { return any_int(); }
int setpriority(int which, unsigned who, int priority) { return zero_or_fails(); }

/* The names of unistd.h on Linux. -1 says that there is no limit, or no such thing; these have always an answer. */
long sysconf(int name) {
    enum { CLOCK_TICKS = 2, PAGE_SIZE = 30, PROCESSORS = 83, ONLINE, PAGES, FREE_PAGES };
    if (name == PAGE_SIZE)
        return 4096;
    _Bool sure = name == CLOCK_TICKS || (name >= PROCESSORS && name <= FREE_PAGES);
    return sure || __raddle_choice(2) == 0 ? any_positive() : -1;
}

typedef struct {
    unsigned long now, most;
} limits;

int getrlimit(int resource, limits *to) {
    if (may_fail())
        return fails();
    to->most = (unsigned long)any_long();
    to->now = (unsigned long)any_up_to(to->most);
    return 0;
}

int setrlimit(int resource, const limits *from) {
    if (from->now > from->most)
        return fails_with(EINVAL);
    return zero_or_fails();
}

/* Times and counts. */
int getrusage(int who, void *to) {
    __raddle_fill(to, 18 * sizeof(long));
    return 0;
}

/* Options that read or write memory are not known. */
int prctl(int option, ...) {
    enum { PR_SET_PDEATHSIG = 1, PR_SET_DUMPABLE = 4, PR_SET_NAME = 15, PR_SET_NO_NEW_PRIVS = 38 };
    if (option != PR_SET_PDEATHSIG && option != PR_SET_DUMPABLE && option != PR_SET_NAME &&
        option != PR_SET_NO_NEW_PRIVS)
        __raddle_unsupported("this option of prctl");
    if (option == PR_SET_NAME) {
        __builtin_va_list list;
        __builtin_va_start(list, option);
        __raddle_read_string(__builtin_va_arg(list, const char *), 15);
        __builtin_va_end(list);
    }
    return zero_or_fails();
}

int gethostname(char *to, size_t size) {
    if (size == 0 || may_fail())
        return fails();
    size_t length = any_up_to(size - 1 < 64 ? size - 1 : 64);
    __raddle_fill(to, length);
    to[length] = 0;
    return 0;
}

/* The log: syslog itself is output (stdio_output.c). */
void openlog(const char *name, int options, int facility) {
    if (name)
        read_text(name);
}
void closelog(void) {}
int setlogmask(int mask) { return (int)(__raddle_input_u8()); }

int setsid(void) { return may_fail() ? fails() : any_positive(); }
int setuid(unsigned user) { return zero_or_fails(); }
int setgid(unsigned group) { return zero_or_fails(); }
int getloadavg(double *to, int count) {
    if (count <= 0 || may_fail())
        return -1;
    int given = 1 + (int)any_up_to((size_t)(count < 3 ? count : 3) - 1);
    for (int i = 0; i < given; i++)
        to[i] = (double)__raddle_input_u16() / 100;
    return given;
}
int getpriority(int which, unsigned who) { return any_int(); }
