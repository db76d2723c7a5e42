// expect: SAFE
// Nothing that others could change is read.
#include <stdio.h>
#include <syslog.h>

static const char *const names[] = {"one", "two"};

int main(void) {
    for (int i = 0; i < 2; i++)
        printf("%s: %s\n", "name", names[i]);
    fputs("text", stderr);
    perror(0);
    perror("error");
    syslog(LOG_INFO, "%s", "text");
    fprintf(stderr, "%*d|%-*s|%#x|%m\n", 5, 1, 10, "text", 3u);
    return 0;
}
