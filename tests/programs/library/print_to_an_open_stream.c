// args: --property memory,races
// expect: SAFE
// The log is closed when nobody uses it any more.
#include <pthread.h>
#include <stdio.h>

FILE *log_file;

void *work(void *arg) {
    fputs("working\n", log_file);
    fflush(log_file);
    return arg;
}

int main(void) {
    pthread_t t;
    log_file = fopen("log", "w");
    if (!log_file)
        return 1;
    pthread_create(&t, 0, work, 0);
    fprintf(log_file, "started\n");
    pthread_join(t, 0);
    fclose(log_file);
    fflush(NULL);
    return 0;
}
