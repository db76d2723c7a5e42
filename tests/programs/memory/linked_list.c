// args: --property memory --property leaks --property assertions
// expect: SAFE
// A list on the heap, built by one thread, summed and freed by another.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void *build(void *arg) {
    for (int i = 1; i <= 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    int sum = 0;
    pthread_create(&t, 0, build, 0);
    pthread_join(t, 0);
    while (head) {
        struct node *next = head->next;
        sum = 10 * sum + head->value;
        free(head);
        head = next;
    }
    assert(sum == 321);
    return 0;
}
