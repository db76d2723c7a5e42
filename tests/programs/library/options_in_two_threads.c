// getopt keeps its place in a global variable: to look at it while another thread reads options is a race.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <unistd.h>

static char *words[] = {"tool", "-a", NULL};

static void *reader(void *arg) {
    return (void *)(long)getopt(2, words, "a"); //~ races
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    int seen = optind; //~ races
    pthread_join(thread, NULL);
    return seen;
}
