// expect: UNSAFE assertions
// Nodes are used again: the compare-exchange of a slow pop succeeds by mistake (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int owned;
};

struct node a, b;
_Atomic(struct node *) top;

void push(struct node *n) {
    struct node *old = top;
    n->owned = 0;
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

struct node *pop(void) {
    struct node *n = top;
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        ;
    if (n) {
        int owned = atomic_exchange(&n->owned, 1);
        assert(!owned); //~ assertions
    }
    return n;
}

void *run(void *arg) {
    pop();
    pop();
    return arg;
}

int main(void) {
    pthread_t t;
    push(&b);
    push(&a);
    pthread_create(&t, 0, run, 0);
    struct node *n = pop();
    if (n == &a) {
        pop();
        push(&a);
    }
    pthread_join(t, 0);
    return 0;
}
