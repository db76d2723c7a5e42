// args: --property assertions
// expect: SAFE
// As carried_value.c, with an assertion that allows for a value that was read before.
#include <assert.h>
#include <pthread.h>

int x, z[99];

void *carry(void *arg) {
    int a = x;
    for (int i = 0; i < 99; i++) {
        a = a + 1;
        z[i] = a;
    }
    a = a + 1;
    x = a;
    return arg;
}

void *set(void *arg) {
    x = 0;
    x = 5;
    int now = x;
    assert(now == 5 || now == 100 || now == 105);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, carry, 0);
    pthread_create(&second, 0, set, 0);
    pthread_join(first, 0);
    for (int i = 0; i < 98; i++)
        assert(z[i] + 1 == z[i + 1]);
    return 0;
}
