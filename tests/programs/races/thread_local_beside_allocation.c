// args: --property races --property memory
// expect: UNSAFE races
// Main's copy of the thread-local variable and the other thread's variable are different objects, whoever comes first.
#include <pthread.h>

_Thread_local int mine;
int result;

void *writes(void *arg) {
    result = 1; //~ races
    return arg;
}

void *keeps(void *arg) {
    int local[2] = {1, 2};
    int *p = local;
    return p[1] == 2 ? arg : 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writes, 0);
    pthread_create(&u, 0, keeps, 0);
    mine = 1;
    pthread_join(u, 0);
    return result + mine; //~ races
}
