// args: --may-fail malloc --may-fail pthread_create --property memory,locks,leaks,assertions
// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg) {
    *(int *)arg = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int *p = calloc(1, sizeof *p);
    if (!p) {
        assert(errno == ENOMEM);
        return 1;
    }
    int error = pthread_create(&t, 0, work, p);
    if (error) {
        assert(error == EAGAIN && *p == 0);
    } else {
        pthread_join(t, 0);
        assert(*p == 1);
    }
    free(p);
    return 0;
}
