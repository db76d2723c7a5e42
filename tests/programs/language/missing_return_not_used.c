// args: --property assertions
// expect: SAFE
// expect explore: BOUNDED (an arbitrary value is tried with some values only)
// No value is returned where none is used, all paths return one where it is, and an uninitialised variable may be returned.
#include <pthread.h>

int mode = 1, result;

static int note(int a) {
    if (a > 3)
        return 1;
    result = a;
}

static int sign(int a) {
    if (a < 0)
        return -1;
    else
        return a > 0;
}

static int anything(int a) {
    int left_open;
    if (a)
        mode = a;
    return left_open;
}

static void *change(void *arg) {
    mode = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    note(mode);
    result = sign(mode) + anything(mode);
    pthread_join(thread, 0);
    return 0;
}
