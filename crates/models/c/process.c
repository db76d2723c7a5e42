/* The process and the machine it runs on: any number that fits.
 *
 * left out: processors that come and go, that daemon leaves other threads behind in the parent, a name for the log that changes or ends after openlog, limits that bite (a process may be told any limit
 * and none is enforced), what groups and sessions do; fork is not modelled (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

static int any_positive(void) {
    int value = __raddle_input_u32() & 0x7fffffff;
    return value ? value : 1;
}

/* A positive number that is not known before somebody asks, and stays. */
static int stays(int *number) {
    __raddle_atomic_begin();
    if (*number == 0)
        *number = any_positive();
    int result = *number;
    __raddle_atomic_end();
    return result;
}

/* One process, so one number; a different one in each run. */
static int process;
int getpid(void) { return stays(&process); }

/* The parent's process goes on as nobody: here a child goes on, under another number. */
int daemon(int keeps_folder, int keeps_streams) {
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    process = 0;
    __raddle_atomic_end();
    return 0;
}

int getppid(void) { return any_positive(); }
int gettid(void) { return (int)__raddle_self(); }
int getpagesize(void) { return 4096; }

/* Who the process is for whom: any numbers, which stay until it becomes somebody else. */
static struct {
    unsigned user, effective_user, group, effective_group;
} identity;
static _Bool is_known;

static unsigned who(const unsigned *number) {
    __raddle_atomic_begin();
    if (!is_known) {
        identity.user = __raddle_input_u32();
        identity.effective_user = __raddle_input_u32();
        identity.group = __raddle_input_u32();
        identity.effective_group = __raddle_input_u32();
        is_known = 1;
    }
    unsigned result = *number;
    __raddle_atomic_end();
    return result;
}

unsigned getuid(void) { return who(&identity.user); }
unsigned geteuid(void) { return who(&identity.effective_user); }
unsigned getgid(void) { return who(&identity.group); }
unsigned getegid(void) { return who(&identity.effective_group); }

/* Which of the numbers change depends on who it was. */
static int becomes_another(void) {
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    is_known = 0;
    __raddle_atomic_end();
    return 0;
}

int setuid(unsigned user) { return becomes_another(); }
int setgid(unsigned group) { return becomes_another(); }
int seteuid(unsigned user) { return becomes_another(); }
int setegid(unsigned group) { return becomes_another(); }
int setreuid(unsigned user, unsigned effective) { return becomes_another(); }
int setregid(unsigned group, unsigned effective) { return becomes_another(); }
int setresuid(unsigned user, unsigned effective, unsigned saved) { return becomes_another(); }
int setresgid(unsigned group, unsigned effective, unsigned saved) { return becomes_another(); }

int getresuid(unsigned *user, unsigned *effective, unsigned *saved) {
    *user = getuid();
    *effective = geteuid();
    *saved = __raddle_input_u32();
    return 0;
}
int getresgid(unsigned *group, unsigned *effective, unsigned *saved) {
    *group = getgid();
    *effective = getegid();
    *saved = __raddle_input_u32();
    return 0;
}

/* Further groups. */
int setgroups(size_t count, const unsigned *groups) {
    __raddle_read_bytes(groups, count * sizeof *groups);
    return zero_or_fails();
}
int initgroups(const char *user, unsigned group) {
    read_text(user);
    return zero_or_fails();
}
int getgroups(int room, unsigned *groups) {
    enum { MOST = 65536 };
    if (room < 0)
        return fails_with(EINVAL);
    int count = (int)any_up_to(MOST);
    if (room == 0)
        return count;
    if (count > room)
        return fails_with(EINVAL);
    __raddle_fill(groups, (size_t)count * sizeof *groups);
    return count;
}

int getpgrp(void) { return any_positive(); }
int getpgid(int process) { return may_fail() ? fails() : any_positive(); }
int getsid(int process) { return getpgid(process); }
int setpgid(int process, int group) { return zero_or_fails(); }
unsigned umask(unsigned mask) { return __raddle_input_u32() & 0777; }
int isatty(int fd) { return __raddle_choice(2) ? 1 : (fails(), 0); }
int nice(int step) { return any_int(); }
int setpriority(int which, unsigned who, int priority) { return zero_or_fails(); }

/* The names of unistd.h on Linux. -1 says that there is no limit, or no such thing; these have always an answer. */
long sysconf(int name) {
    enum { CLOCK_TICKS = 2, PAGE_SIZE = 30, PROCESSORS = 83, ONLINE, PAGES, FREE_PAGES };
    static int ticks, processors, online, pages;
    switch (name) {
    case PAGE_SIZE:
        return 4096;
    case CLOCK_TICKS:
        return stays(&ticks);
    case PROCESSORS:
        return stays(&processors);
    case ONLINE:
        return stays(&online);
    case PAGES:
        return stays(&pages);
    case FREE_PAGES:
        return any_positive();
    }
    return __raddle_choice(2) == 0 ? any_positive() : -1;
}

/* Clock ticks of the process and its children, and since some moment. */
long times(void *to) {
    if (to)
        __raddle_fill(to, 4 * sizeof(long));
    return any_long() & (long)(~0ul >> 1);
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

int prlimit(int process, int resource, const limits *from, limits *to) {
    if (to && getrlimit(resource, to) != 0)
        return -1;
    return from ? setrlimit(resource, from) : 0;
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
int getloadavg(double *to, int count) {
    if (count <= 0 || may_fail())
        return -1;
    int given = 1 + (int)any_up_to((size_t)(count < 3 ? count : 3) - 1);
    for (int i = 0; i < given; i++)
        to[i] = (double)__raddle_input_u16() / 100;
    return given;
}
int getpriority(int which, unsigned who) { return any_int(); }
