// The first thread is created at one of two points: two exclusive images of the memory at the start.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *work(void *arg) { y = x; return arg; }
int main(void) {
    pthread_t s, t;
    x = 1;
    if (__VERIFIER_nondet_int())
        pthread_create(&s, 0, work, 0);
    else
        x = 2;
    pthread_create(&t, 0, work, 0);
    return y;
}
