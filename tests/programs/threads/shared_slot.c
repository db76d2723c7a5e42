// args: --property races
// expect: UNSAFE races
// Two threads write the same element.
#include <pthread.h>

char slot[2];

void *run(void *arg) {
    slot[(long)arg / 2] = 1; //~ races
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
