// args: --property assertions
// expect: UNSAFE assertions
// A function that forgets to return a value on one path, which only one interleaving takes.
#include <pthread.h>

int mode = 1, result;

static int choose(int a) {
    if (mode == 1)
        return a;
    if (mode == 2)
        return -a;
} //~ assertions

static void *change(void *arg) {
    mode = 3;
    mode = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    result = choose(7);
    pthread_join(thread, 0);
    return 0;
}
