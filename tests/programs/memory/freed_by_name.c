// args: --property memory
// expect: UNSAFE memory
// A report calls heap objects as the program does, here `queue->nodes[1].next` (tested in surface.rs).
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *nodes;
};

struct queue *queue;

void *work(void *arg) {
    queue->nodes[1].next = 0; //~ memory
    return arg;
}

int main(void) {
    pthread_t t;
    queue = malloc(sizeof *queue);
    queue->nodes = calloc(2, sizeof *queue->nodes);
    pthread_create(&t, 0, work, 0);
    free(queue->nodes);
    pthread_join(t, 0);
    free(queue);
    return 0;
}
