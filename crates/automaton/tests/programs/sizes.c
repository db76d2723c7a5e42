/* Objects whose size is known where they are allocated, and one whose size is not. */
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int a, b;
};
static struct pair *new_pair(size_t more) { return malloc(sizeof(struct pair) + more); }
struct pair *shared, *larger;
int *many;
char *any;
extern unsigned __VERIFIER_nondet_uint(void);

void *work(void *argument) {
    shared->b = larger->a;
    many[2] = 1;
    return argument;
}

int main(void) {
    pthread_t t;
    shared = new_pair(0);
    larger = new_pair(8);
    many = calloc(3, sizeof(int));
    any = malloc(__VERIFIER_nondet_uint());
    larger->a = 1;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
