// strtok_r keeps its place where the caller says.
// args: --property races,memory,assertions
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *splitter(void *arg) {
    char own[] = "a b", *place;
    char *first = strtok_r(own, " ", &place), *second = strtok_r(NULL, " ", &place);
    assert(strcmp(first, "a") == 0 && strcmp(second, "b") == 0);
    assert(strtok_r(NULL, " ", &place) == NULL);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, splitter, NULL);
    splitter(NULL);
    pthread_join(thread, NULL);
    return 0;
}
