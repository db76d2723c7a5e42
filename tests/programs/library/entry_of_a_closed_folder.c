// args: --property memory
// args explore: --inputs 3
// expect: UNSAFE memory
// The entry belongs to the folder.
#include <dirent.h>
#include <stdio.h>

int main(void) {
    DIR *folder = opendir("/tmp");
    if (!folder)
        return 1;
    struct dirent *entry = readdir(folder);
    closedir(folder);
    return entry && entry->d_name[0] == '.'; //~ memory
}
