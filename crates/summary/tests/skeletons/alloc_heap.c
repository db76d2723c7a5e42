// Heap objects of two threads are objects of their own; what is private costs no event.
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *work(void *arg) {
    int *p = malloc(sizeof *p), *q = calloc(1, sizeof *q);
    *p = 4;
    *q = *q + *p;
    shared = q;
    return arg;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    return shared ? *shared : 0;
}
