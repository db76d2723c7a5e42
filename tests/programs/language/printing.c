// args: --property assertions
// expect: SAFE
// Output does not disturb.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int x;

void *run(void *arg) {
    printf("%d %s %c %f %lu\n", x, "text", 'c', 1.5, 2ul);
    fprintf(stderr, "thread\n");
    puts("done");
    putchar('\n');
    fflush(stdout);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(x == 0);
    return 0;
}
