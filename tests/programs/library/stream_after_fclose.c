// args: --property memory
// expect: UNSAFE memory
// One thread reads from a stream that the other one closes.
#include <pthread.h>
#include <stdio.h>

FILE *file;

void *run(void *arg) {
    fclose(file);
    return arg;
}

int main(void) {
    pthread_t t;
    char line[2];
    file = fopen("input", "r");
    if (!file)
        return 1;
    pthread_create(&t, 0, run, 0);
    fgets(line, sizeof line, file); //~ memory
    pthread_join(t, 0);
    return 0;
}
