// A timer that tells by a thread: what its function has done is seen by who waits for it.
// args: --property races,memory,deadlocks,assertions
// expect: SAFE
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static int data;
static sem_t done;

static void expired(union sigval value) {
    data = *(int *)value.sival_ptr;
    sem_post(&done);
}

int main(void) {
    int seven = 7;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    struct itimerspec soon = {.it_value = {0, 1000}};
    event.sigev_value.sival_ptr = &seven;
    sem_init(&done, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        return 1;
    if (timer_settime(timer, 0, &soon, 0) != 0)
        return 1;
    sem_wait(&done);
    assert(data == 7);
    assert(timer_delete(timer) == 0);
    assert(timer_delete(timer) != 0);
    return 0;
}
