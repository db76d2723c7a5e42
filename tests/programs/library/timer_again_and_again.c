// A timer with an interval may call its function while an earlier call still runs.
// args: --property races
// args explore: --contexts 3
// expect: UNSAFE races
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int count;

static void expired(union sigval value) {
    count++; //~ races
}

int main(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    struct itimerspec often = {{1, 0}, {1, 0}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &often, 0) != 0)
        return 1;
    sleep(3);
    return 0;
}
