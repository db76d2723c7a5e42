// args: --property memory,races
// expect: SAFE
// Buffers that live as long as their streams have them: up to the end, or to fclose.
#include <stdio.h>

static char kept[BUFSIZ];

static int log_to(const char *path) {
    char own[64];
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    setvbuf(file, own, _IOLBF, sizeof own);
    fputs("line\n", file);
    return fclose(file);
}

int main(void) {
    setvbuf(stdout, kept, _IOFBF, sizeof kept);
    setvbuf(stderr, NULL, _IONBF, 0);
    log_to("log");
    printf("end\n");
    fprintf(stderr, "end\n");
    return 0;
}
