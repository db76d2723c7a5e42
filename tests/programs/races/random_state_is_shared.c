// args: --property races
// expect: UNSAFE races
// One state for the random numbers of two threads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static struct random_data data;
static char table[32];

static void *draw(void *unused) {
    int number;
    random_r(&data, &number); //~ races
    return unused;
}

int main(void) {
    pthread_t one, two;
    initstate_r(1, table, sizeof table, &data);
    pthread_create(&one, 0, draw, 0);
    pthread_create(&two, 0, draw, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
