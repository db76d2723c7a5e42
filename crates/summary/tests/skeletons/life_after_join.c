// property: memory
// Memory that is freed once one of its readers has been joined: only the other one looks
// whether it is alive.
#include <pthread.h>
#include <stdlib.h>
int *p, a, b;
void *first(void *arg) {
    a = *p;
    return arg;
}
void *second(void *arg) {
    b = *p;
    return arg;
}
int main(void) {
    pthread_t s, t;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    free(p);
    return 0;
}
