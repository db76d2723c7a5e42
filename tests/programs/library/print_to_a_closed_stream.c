// args: --property memory
// expect: UNSAFE memory
// Main closes the log while a thread may still write to it.
#include <pthread.h>
#include <stdio.h>

FILE *log_file;

void *work(void *arg) {
    fprintf(log_file, "working\n"); //~ memory
    return arg;
}

int main(void) {
    pthread_t t;
    log_file = fopen("log", "w");
    if (!log_file)
        return 1;
    pthread_create(&t, 0, work, 0);
    fclose(log_file);
    pthread_join(t, 0);
    return 0;
}
