// args: --property races
// expect: SAFE
// Neighbouring elements of an array are no race.
#include <pthread.h>

char slot[3];

void *run(void *arg) {
    slot[(long)arg] = 1;
    slot[(long)arg]++;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
