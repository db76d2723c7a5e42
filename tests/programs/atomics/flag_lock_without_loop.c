// args: --property races
// expect: UNSAFE races
// The flag is set, but its old value is ignored.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int x;

void *run(void *arg) {
    atomic_flag_test_and_set(&taken);
    x++; //~ races
    atomic_flag_clear(&taken);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
