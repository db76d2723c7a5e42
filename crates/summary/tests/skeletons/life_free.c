// property: memory
// A freed object: freeing writes its grave, every access looks at it in its own unit.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *work(void *arg) {
    *p = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    if (!p)
        return 0;
    pthread_create(&t, 0, work, 0);
    free(p);
    return 0;
}
