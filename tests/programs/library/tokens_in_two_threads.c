// strtok keeps its place in one variable for all threads.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <string.h>

static void *splitter(void *arg) {
    char own[] = "a b";
    return strtok(own, " ") == own ? arg : NULL; //~ races
}

int main(void) {
    pthread_t thread;
    char own[] = "c d";
    pthread_create(&thread, NULL, splitter, NULL);
    char *first = strtok(own, " "); //~ races
    pthread_join(thread, NULL);
    return first != own;
}
