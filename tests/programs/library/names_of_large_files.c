// Functions have other names with this definition; what they read is still looked at.
// args: --property memory --first
// expect: UNSAFE memory
#define _FILE_OFFSET_BITS 64
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat *about = malloc(sizeof *about - 8);
    long size = lseek(0, 0, SEEK_END);
    if (stat("/tmp", about) != 0) //~ memory
        size = 0;
    free(about);
    return size > 0;
}
