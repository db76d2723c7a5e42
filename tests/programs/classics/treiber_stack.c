// expect: SAFE
// A lock-free stack; two threads push, main pops both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};

struct node pool[2];
_Atomic(struct node *) top;

void push(struct node *n) {
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

struct node *pop(void) {
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    return n;
}

void *run(void *arg) {
    long i = (long)arg;
    pool[i].value = (int)i + 1;
    push(&pool[i]);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)0);
    pthread_create(&u, 0, run, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    struct node *a = pop(), *b = pop();
    assert(a && b && a != b && a->value + b->value == 3 && pop() == 0);
    return 0;
}
