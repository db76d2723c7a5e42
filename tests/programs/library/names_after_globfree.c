// The names belong to the result.
// args: --property memory
// args explore: --inputs 0
// expect: UNSAFE memory
#include <glob.h>

int main(void) {
    glob_t names;
    if (glob("*.c", 0, 0, &names) != 0)
        return 1;
    char *first = names.gl_pathv[0];
    globfree(&names);
    return first[0]; //~ memory
}
