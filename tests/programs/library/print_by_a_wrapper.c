// args: --property races
// expect: UNSAFE races
// A function of the program passes a format and its arguments on.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

char name[4] = "abc";

void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list); //~ races
    va_end(list);
}

void *change(void *arg) {
    name[0] = 'A'; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    report("%d%% of %s, %c%5.1f\n", 10, name, 'c', 2.5);
    pthread_join(t, 0);
    return 0;
}
