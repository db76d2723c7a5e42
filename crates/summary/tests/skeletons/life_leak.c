// property: leaks
// The end of the program reads the graves of all heap objects.
#include <pthread.h>
#include <stdlib.h>
int c;
void *work(void *arg) {
    c = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    char *p = malloc(3);
    pthread_create(&t, 0, work, 0);
    if (c)
        free(p);
    return 0;
}
