// expect: UNSAFE assertions
// The place is looked up in one critical section and used in another: an insertion can get lost.
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
    pthread_mutex_unlock(&before->lock);
    pthread_mutex_lock(&before->lock);
    n->next = here;
    before->next = n;
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
    int length = 0;
    for (struct node *n = head.next; n != &tail; n = n->next)
        length++;
    assert(length == 2); //~ assertions
    return 0;
}
