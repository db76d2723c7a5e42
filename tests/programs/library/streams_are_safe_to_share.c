// args: --property races,memory,assertions
// expect: SAFE
// Streams have locks inside; the end of a file is remembered until it is cleared.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

FILE *file;

void *run(void *arg) {
    char own;
    fread(&own, 1, 1, file);
    return arg;
}

int main(void) {
    pthread_t t;
    file = fopen("input", "r");
    if (!file)
        return 1;
    pthread_create(&t, 0, run, 0);
    char mine;
    fread(&mine, 1, 1, file);
    pthread_join(t, 0);
    clearerr(file);
    assert(!feof(file) && !ferror(file));
    if (fread(&mine, 1, 1, file) == 0)
        assert(feof(file) || ferror(file));
    fclose(file);
    return 0;
}
