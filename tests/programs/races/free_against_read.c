// args: --property memory
// expect: UNSAFE memory
// Freeing while another thread reads: either the read comes first or it is invalid.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

struct node *shared;

void *run(void *arg) {
    (void)arg;
    struct node *n = shared;
    return (void *)(long)n->value; //~ memory
}

int main(void) {
    pthread_t t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&t, 0, run, 0);
    free(shared);
    pthread_join(t, 0);
    return 0;
}
