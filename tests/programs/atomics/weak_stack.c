// args: --property assertions,memory
// expect: SAFE
// A lock-free stack over weak exchanges: nothing is lost and no loop needs a bound.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    do
        n->next = top;
    while (!atomic_compare_exchange_weak(&top, &n->next, n));
}

void *run(void *arg) {
    push(1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    push(2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = 0;
    for (struct node *n = top; n; n = n->next)
        sum += n->value;
    assert(sum == 4);
    return 0;
}
