// One thread still matches when another frees the compiled expression.
// args: --property memory
// expect: UNSAFE memory
#include <pthread.h>
#include <regex.h>

static regex_t expression;

static void *matcher(void *arg) {
    return (void *)(long)regexec(&expression, "b", 0, NULL, 0); //~ memory
}

int main(void) {
    pthread_t thread;
    if (regcomp(&expression, "a", REG_NOSUB) != 0)
        return 1;
    pthread_create(&thread, NULL, matcher, NULL);
    regfree(&expression);
    pthread_join(thread, NULL);
    return 0;
}
