// args: --property lost-memory
// expect: UNSAFE lost-memory
// The only pointer to the object was in a frame that pthread_exit has ended.
#include <pthread.h>
#include <stdlib.h>

char **where;

static void leave(void) { pthread_exit(0); }

void *run(void *arg) {
    char *p = malloc(8); //~ lost-memory
    where = &p;
    p[0] = 1;
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
