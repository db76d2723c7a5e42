// args: --property memory
// expect: UNSAFE memory
// A character is pushed back into a stream that another thread closes.
#include <pthread.h>
#include <stdio.h>

FILE *file;

void *run(void *arg) {
    fclose(file);
    return arg;
}

int main(void) {
    pthread_t t;
    file = fopen("input", "r");
    if (!file)
        return 1;
    pthread_create(&t, 0, run, 0);
    ungetc('a', file); //~ memory
    pthread_join(t, 0);
    return 0;
}
