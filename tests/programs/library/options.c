// args: --property assertions
// expect: SAFE
// Options with and without arguments, short and long.
#include <assert.h>
#include <getopt.h>
#include <string.h>

int main(void) {
    char *words[] = {"p", "-vn3", "--level=7", "--quiet", "-o", "out", "file", 0};
    struct option list[] = {{"level", required_argument, 0, 'l'}, {"quiet", no_argument, 0, 'q'}, {0}};
    assert(getopt_long(7, words, "vn:o:", list, 0) == 'v');
    assert(getopt_long(7, words, "vn:o:", list, 0) == 'n' && *optarg == '3');
    assert(getopt_long(7, words, "vn:o:", list, 0) == 'l' && *optarg == '7');
    assert(getopt_long(7, words, "vn:o:", list, 0) == 'q');
    assert(getopt_long(7, words, "vn:o:", list, 0) == 'o' && strcmp(optarg, "out") == 0);
    assert(getopt_long(7, words, "vn:o:", list, 0) == -1 && optind == 6);
    return 0;
}
