// expect: SAFE
// A sorted list whose nodes are locked one after the other, never fewer than one.
#include <assert.h>
#include <pthread.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

struct node tail = {PTHREAD_MUTEX_INITIALIZER, 99, 0};
struct node head = {PTHREAD_MUTEX_INITIALIZER, -1, &tail};

void insert(struct node *n) {
    struct node *before = &head, *here;
    pthread_mutex_lock(&before->lock);
    here = before->next;
    pthread_mutex_lock(&here->lock);
    while (here->key < n->key) {
        pthread_mutex_unlock(&before->lock);
        before = here;
        here = here->next;
        pthread_mutex_lock(&here->lock);
    }
    n->next = here;
    before->next = n;
    pthread_mutex_unlock(&here->lock);
    pthread_mutex_unlock(&before->lock);
}

void *run(void *arg) {
    insert(arg);
    return 0;
}

int main(void) {
    pthread_t t;
    struct node a = {PTHREAD_MUTEX_INITIALIZER, 1, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 2, 0};
    pthread_create(&t, 0, run, &b);
    insert(&a);
    pthread_join(t, 0);
    assert(head.next == &a && a.next == &b && b.next == &tail);
    return 0;
}
