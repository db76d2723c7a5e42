/* A loop that is kept, an array with a computed index, an object that is allocated in a loop. */
#include <pthread.h>
#include <stdlib.h>

int cells[4];
int *last;

void *work(void *argument) {
    int n = *(int *)argument;
    for (int i = 0; i < n; i++)
        cells[i % 4] += i;
    return 0;
}

int main(void) {
    pthread_t thread;
    int n = 3;
    pthread_create(&thread, 0, work, &n);
    for (int i = 0; i < 10; i++)
        last = malloc(sizeof *last);
    pthread_join(thread, 0);
    return 0;
}
