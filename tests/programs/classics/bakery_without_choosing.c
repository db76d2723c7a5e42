// expect: UNSAFE races
// Without the choosing flags both may enter.
#include <pthread.h>
#include <stdatomic.h>

atomic_int number[2];
int x;

void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    number[me] = number[other] + 1;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || theirs > number[me] || (theirs == number[me] && other > me))
            break;
    }
    x++; //~ races
    number[me] = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    return 0;
}
