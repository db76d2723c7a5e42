// args: --property memory
// expect: UNSAFE memory
// The node is read after it was freed.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = 0;
    for (struct node *n = a; n; n = n->next) //~ memory
        free(n);
    return 0;
}
