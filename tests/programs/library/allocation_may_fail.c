// args: --may-fail malloc,pthread_create
// expect: UNSAFE memory
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void *work(void *arg) {
    *(int *)arg = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    char *copy = strdup("text");
    if (!p)
        return 1;
    copy[0] = 'T'; //~ memory
    if (pthread_create(&t, 0, work, p) != 0)
        return 1;
    pthread_join(t, 0);
    return 0;
}
