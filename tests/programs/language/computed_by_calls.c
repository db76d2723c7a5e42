// args: --property assertions
// expect: UNSAFE assertions
// A function without memory that is called again and again: with constants, with values that another thread wrote, with a
// loop that ends at a constant and with one that depends on its argument.
#include <assert.h>
#include <pthread.h>

int shared = 5;

static unsigned mixed(unsigned a, unsigned b) {
    for (int i = 0; i < 3; i++)
        a = (a & 1) ? (a >> 1) ^ b : a + b;
    return a;
}

static int steps(int n) {
    int count = 0;
    while (n > 1) {
        n = (n & 1) ? n - 1 : n / 2;
        count++;
    }
    return count;
}

static void *writer(void *arg) {
    shared = 9;
    return 0;
}

int main(void) {
    pthread_t thread;
    assert(mixed(1, 2) == 6);
    assert(mixed(4, 1) == 0);
    assert(steps(5) == 3);
    pthread_create(&thread, 0, writer, 0);
    int seen = shared;
    unsigned first = mixed(seen, 1), second = mixed(seen, 1);
    assert(first == second);
    assert(steps(seen) <= 4);
    assert(mixed(seen, 3) != mixed(9, 3)); //~ assertions
    pthread_join(thread, 0);
    return 0;
}
