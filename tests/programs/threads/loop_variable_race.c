// args: --property races
// expect: UNSAFE races
// The thread reads the loop variable while main increments it.
#include <pthread.h>

void *run(void *arg) {
    int mine = *(int *)arg; //~ races
    return (void *)(long)mine;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) //~ races
        pthread_create(&t[i], 0, run, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
    return 0;
}
