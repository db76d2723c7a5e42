// args: --property races -- --target=aarch64-linux-gnu
// expect: UNSAFE races
// A barrier is no lock on AArch64 either.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);

int x;

void *run(void *arg) {
    __asm__ volatile("dmb ish" : : : "memory");
    x++; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    return 0;
}
