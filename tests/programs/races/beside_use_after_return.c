// args: --property races --property memory
// expect: UNSAFE memory races
// The reader may come too late for the other thread's variable. If it does not, its result races with main, which waits for
// the other thread only.
#include <pthread.h>
#include <stdatomic.h>

int start;
_Atomic(int *) p = &start;
int result;

void *owner(void *arg) {
    int local = 1;
    p = &local;
    return arg;
}

void *reader(void *arg) {
    int value = *p; //~ memory
    result = value; //~ races
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, owner, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    return result; //~ races
}
