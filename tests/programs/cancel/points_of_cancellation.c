// A thread that has a request pending does not come past a function that POSIX says is a cancellation point.
// args: --property assertions
// expect: SAFE
// expect explore: BOUNDED (some values of inputs are tried)
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static char page[8];

static void point(unsigned which, pthread_t other) {
    struct timespec soon = {0, 1};
    struct pollfd fds = {0, POLLIN, 0};
    struct iovec piece = {page, 1};
    struct epoll_event event;
    sigset_t set;
    char byte = 0;
    sigemptyset(&set);
    switch (which) {
    case 0: open("/dev/null", O_RDONLY); break;
    case 1: creat("/dev/null", 0600); break;
    case 2: openat(AT_FDCWD, "/dev/null", O_RDONLY); break;
    case 3: read(0, &byte, 1); break;
    case 4: write(2, &byte, 0); break;
    case 5: pread(0, &byte, 1, 0); break;
    case 6: pwrite(2, &byte, 0, 0); break;
    case 7: readv(0, &piece, 1); break;
    case 8: writev(2, &piece, 0); break;
    case 9: fsync(2); break;
    case 10: fdatasync(2); break;
    case 11: close(-1); break;
    case 12: lockf(2, F_LOCK, 0); break;
    case 13: poll(&fds, 1, 0); break;
    case 14: select(0, 0, 0, 0, &(struct timeval){0, 1}); break;
    case 15: pselect(0, 0, 0, 0, &soon, 0); break;
    case 16: ppoll(&fds, 1, &soon, 0); break;
    case 17: accept(0, 0, 0); break;
    case 18: connect(-1, (struct sockaddr *)&(struct sockaddr_storage){0}, 16); break;
    case 19: send(-1, &byte, 1, 0); break;
    case 20: recv(-1, &byte, 1, 0); break;
    case 21: sendto(-1, &byte, 1, 0, 0, 0); break;
    case 22: recvfrom(-1, &byte, 1, 0, 0, 0); break;
    case 23: sendmsg(-1, &(struct msghdr){.msg_iov = &piece}, 0); break;
    case 24: recvmsg(-1, &(struct msghdr){.msg_iov = &piece}, 0); break;
    case 25: sem_wait(&sem); break;
    case 26: sem_timedwait(&sem, &soon); break;
    case 27: pthread_cond_wait(&cond, &mutex); break;
    case 28: pthread_cond_timedwait(&cond, &mutex, &soon); break;
    case 29: pthread_join(other, 0); break;
    case 30: pthread_testcancel(); break;
    case 31: sleep(1); break;
    case 32: usleep(1); break;
    case 33: nanosleep(&soon, 0); break;
    case 34: clock_nanosleep(CLOCK_REALTIME, 0, &soon, 0); break;
    case 35: thrd_sleep(&soon, 0); break;
    case 36: thrd_join(other, 0); break;
    case 37: pause(); break;
    case 38: tcdrain(-1); break;
    case 39: msync(page, 0, MS_SYNC); break;
    case 40: system("true"); break;
    case 41: sigemptyset(&set), sigaddset(&set, SIGUSR1), sigtimedwait(&set, 0, &soon); break;
    case 42: sigemptyset(&set), sigaddset(&set, SIGUSR1), sigwaitinfo(&set, 0); break;
    case 43: sigemptyset(&set), sigaddset(&set, SIGUSR1), sigwait(&set, &(int){0}); break;
    case 44: epoll_wait(epoll_create1(0), &event, 1, 0); break;
    case 45: cnd_wait((cnd_t *)&cond, (mtx_t *)&mutex); break;
    case 46: cnd_timedwait((cnd_t *)&cond, (mtx_t *)&mutex, &soon); break;
    case 47: fcntl(2, F_SETLKW, &(struct flock){.l_type = F_UNLCK}); break;
    case 48: wait(0); break;
    case 49: waitpid(1, 0, 0); break;
    case 50: mq_receive(-1, &byte, 1, 0); break;
    case 51: mq_send(-1, &byte, 1, 0); break;
    case 52: mq_timedreceive(-1, &byte, 1, 0, &soon); break;
    case 53: mq_timedsend(-1, &byte, 1, 0, &soon); break;
    case 54: pthread_timedjoin_np(other, 0, &soon); break;
    case 55: read(signalfd(-1, &set, 0), page, 1); break;
    case 56: read(inotify_init(), page, 1); break;
    default: pthread_exit(0);
    }
}

static void unlock(void *m) {
    pthread_mutex_unlock(m);
}

static void *run(void *other) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cancel(pthread_self());
    point(__VERIFIER_nondet_uint(), *(pthread_t *)other);
    assert(!"past a cancellation point");
    pthread_cleanup_pop(1);
    return 0;
}
static void *nothing(void *argument) {
    return argument;
}

int main(void) {
    pthread_t other, thread;
    void *result;
    sem_init(&sem, 0, 1);
    pthread_create(&other, 0, nothing, 0);
    pthread_create(&thread, 0, run, &other);
    pthread_join(thread, &result);
    return 0;
}
