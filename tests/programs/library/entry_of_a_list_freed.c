// The list of scandir: the entries are the caller's, and are used after free.
// args: --property memory --first
// expect: UNSAFE memory
#include <dirent.h>
#include <stdlib.h>

int main(void) {
    struct dirent **list;
    int count = scandir(".", &list, NULL, alphasort);
    if (count < 1)
        return 1;
    free(list[0]);
    return list[0]->d_name[0]; //~ memory
}
