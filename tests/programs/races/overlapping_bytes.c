// args: --property races
// expect: UNSAFE races
// A write of one byte and a read of the whole word.
#include <pthread.h>

union {
    unsigned word;
    unsigned char byte[4];
} u;

void *run(void *arg) {
    u.byte[2] = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    unsigned seen = u.word; //~ races
    pthread_join(t, 0);
    return (int)seen;
}
