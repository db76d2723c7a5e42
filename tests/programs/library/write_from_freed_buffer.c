// args: --property memory
// expect: UNSAFE memory
// Another thread may free the bytes that are being written.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

char *text;

void *run(void *arg) {
    free(text);
    return arg;
}

int main(void) {
    pthread_t t;
    text = malloc(2);
    text[0] = 'a', text[1] = 'b';
    pthread_create(&t, 0, run, 0);
    if (write(1, text, 2) != 2) //~ memory
        _exit(1);
    pthread_join(t, 0);
    return 0;
}
