// args: --property assertions
// expect: UNKNOWN
// A handler could run at any time.
#include <assert.h>
#include <signal.h>

volatile sig_atomic_t stop;

void on_signal(int number) { stop = number; }

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, 0);
    assert(stop == 0);
    return 0;
}
