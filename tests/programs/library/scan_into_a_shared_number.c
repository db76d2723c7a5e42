// args: --property races
// expect: UNSAFE races
// sscanf writes its results.
#include <pthread.h>
#include <stdio.h>

int level;

void *look(void *arg) {
    return level ? arg : 0; //~ races
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    sscanf("7", "%d", &level); //~ races
    pthread_join(t, 0);
    return 0;
}
