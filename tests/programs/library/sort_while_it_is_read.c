// args: --property races
// expect: UNSAFE races
// qsort moves the elements of the caller.
#include <pthread.h>
#include <stdlib.h>

int list[2] = {2, 1};

int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void *look(void *arg) {
    return list[0] == 1 ? arg : 0; //~ races
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    qsort(list, 2, sizeof list[0], compare); //~ races
    pthread_join(t, 0);
    return 0;
}
