// To delete a timer does not wait for its function: the function may still use what is freed then. And a timer that is disarmed
// before it expires never calls it.
// args: --property races,memory,deadlocks
// expect: UNSAFE memory, deadlocks
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    sem_t done;
} job;

static void expired(union sigval value) {
    job *j = value.sival_ptr;
    sem_post(&j->done); //~ memory
}

int main(void) {
    job *j = malloc(sizeof *j);
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    struct itimerspec soon = {.it_value = {1, 0}}, never = {{0, 0}, {0, 0}};
    event.sigev_value.sival_ptr = j;
    sem_init(&j->done, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &soon, 0) != 0)
        return 1;
    if (timer_settime(timer, 0, &never, 0) != 0)
        return 1;
    if (sem_trywait(&j->done) != 0) {
        timer_delete(timer);
        free(j);
        return 0;
    }
    sem_wait(&j->done); //~ deadlocks
    return 0;
}
