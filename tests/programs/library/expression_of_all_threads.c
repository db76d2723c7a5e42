// A compiled expression may be used by several threads at once; matches lie inside the text.
// args: --property memory,races,assertions
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <regex.h>

static regex_t expression;

static void *matcher(void *arg) {
    regmatch_t found;
    if (regexec(&expression, "ab", 1, &found, 0) == 0)
        assert(0 <= found.rm_so && found.rm_so <= found.rm_eo && found.rm_eo <= 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    if (regcomp(&expression, "a", 0) != 0)
        return 1;
    pthread_create(&thread, NULL, matcher, NULL);
    matcher(NULL);
    pthread_join(thread, NULL);
    regfree(&expression);
    return 0;
}
