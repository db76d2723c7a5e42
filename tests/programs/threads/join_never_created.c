// args: --property locks
// expect: UNSAFE locks
// One thread too many is joined.
#include <pthread.h>

pthread_t t[3];

void *run(void *arg) { return arg; }

int main(void) {
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); //~ locks
    return 0;
}
