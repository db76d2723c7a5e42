// Functions that POSIX does not require to be cancellation points end as ever, whether or not a request is pending.
// args: --property assertions --first
// args explore: --inputs 0
// expect: UNSAFE assertions
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int tell(const char *path, const struct stat *status, int kind) { return path && status && kind; }

static void call(void) {
    char text[8], *line = 0;
    size_t size;
    wchar_t wide[2];
    struct stat status;
    struct dirent **list;
    timer_t timer;
    tss_t key;
    pthread_mutex_t mutex;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&robust, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&mutex, &robust);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_tryjoin_np(pthread_self(), 0);
    tss_create(&key, 0);
    sem_unlink("/name");
    opendir("/");
    scandir("/", &list, 0, 0);
    globfree(&(glob_t){0});
    getpwuid(0);
    gethostbyname("h");
    ioctl(-1, FIONREAD, &size);
    inotify_rm_watch(-1, 1);
    stat("/", &status);
    stat64("/", (void *)&status);
    timer_create(CLOCK_MONOTONIC, 0, &timer);
    mbstowcs(wide, "a", 2);
    warnx("a");
    puts("a");
    inet_addr("127.0.0.1");
    ungetc(fgetc(stdin), stdin);
    fopen("/dev/null", "r");
    getline(&line, &size, stdin);
    open_memstream(&line, &size);
    asprintf(&line, "a");
    strdup("a");
    memcpy(text, "a", 2);
    strtof("1", 0);
    clock();
    dlclose(dlopen("library", RTLD_NOW));
    hdestroy();
    freeifaddrs(0);
    ftw("/", tell, 4);
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
