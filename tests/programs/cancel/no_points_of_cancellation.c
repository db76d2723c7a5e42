// Functions that are no cancellation points end as ever, whether or not a request is pending.
// args: --property assertions --first
// expect: UNSAFE assertions
#define _GNU_SOURCE
#include <assert.h>
#include <fnmatch.h>
#include <getopt.h>
#include <libgen.h>
#include <linux/futex.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

static void nothing(void) {}

static void call(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_key_t key;
    pthread_attr_t attr;
    sem_t sem;
    mtx_t mtx;
    struct tm tm;
    struct rlimit limit;
    struct termios terminal;
    sigset_t set;
    time_t second = 0;
    int word = 1, fds[2];
    char text[20], *end;
    wchar_t wide[4];
    char *arguments[] = {"p", "-a", 0};
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, 0, 1);
    sem_init(&sem, 0, 1);
    mtx_init(&mtx, mtx_plain);
    strtol("12", &end, 10);
    strtod("1.5", &end);
    qsort(strcpy(text, "ba"), 2, 1, compare);
    bsearch("a", "abc", 3, 1, compare);
    setenv("A", "b", 1);
    fnmatch("*", "a", 0);
    gmtime_r(&second, &tm);
    wcscpy(wide, L"ab");
    snprintf(text, sizeof text, "%d", word);
    sscanf("7", "%d", &word);
    free(malloc(1));
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&rwlock);
    pthread_spin_lock(&spin);
    pthread_barrier_wait(&barrier);
    pthread_once(&once, nothing);
    pthread_key_create(&key, 0);
    pthread_attr_init(&attr);
    sem_post(&sem);
    mtx_lock(&mtx);
    getopt(2, arguments, "a");
    strerror(2);
    setlocale(LC_ALL, "");
    getrlimit(RLIMIT_CORE, &limit);
    sysconf(_SC_PAGESIZE);
    mmap(0, 8, PROT_READ, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    tcgetattr(0, &terminal);
    sigemptyset(&set);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    pthread_setname_np(pthread_self(), "name");
    eventfd(0, 0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    rand();
    time(0);
    sqrt(2.0);
    pthread_sigmask(SIG_BLOCK, 0, &set);
    pthread_atfork(0, 0, 0);
    dirname((char[]){"a/b"});
    uname(&(struct utsname){0});
}

static void *run(void *argument) {
    pthread_cancel(pthread_self());
    call();
    assert(!"past them"); //~ assertions
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
