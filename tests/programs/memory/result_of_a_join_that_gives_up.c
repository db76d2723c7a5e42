// A join that does not give up writes the result to where the caller wants it, which is freed here. (After it came true that
// the thread has ended.)
// args: --property memory
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *run(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    void **result = malloc(sizeof *result);
    pthread_create(&thread, 0, run, 0);
    free(result);
    return pthread_tryjoin_np(thread, result); //~ memory
}
