// args: --property assertions
// expect: UNSAFE assertions
// A handler runs while the main thread sleeps.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

volatile sig_atomic_t stop;

void on_signal(int number) { stop = number; }

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, 0);
    sleep(1);
    assert(stop == 0); //~ assertions
    return 0;
}
