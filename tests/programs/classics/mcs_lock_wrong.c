// expect: UNSAFE races
// The thread does not mark its node as locked, so it does not wait for its turn.
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
};

_Atomic(struct node *) tail;
int x;

void *run(void *arg) {
    struct node *mine = arg;
    mine->next = 0;
    mine->locked = 0;
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        before->next = mine;
        while (mine->locked)
            ;
    }
    x++; //~ races
    struct node *expected = mine;
    if (!mine->next && atomic_compare_exchange_strong(&tail, &expected, (struct node *)0))
        return 0;
    while (!mine->next)
        ;
    struct node *successor = mine->next;
    successor->locked = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    struct node a, b;
    pthread_create(&t, 0, run, &a);
    run(&b);
    pthread_join(t, 0);
    return 0;
}
