// args: --property assertions,races -- --target=aarch64-linux-gnu
// expect: SAFE
// The instructions of the Large System Extensions.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);

int count, bits = 0xff, taken, word = 5;
unsigned char small = 250;

static inline int fetch_add(int *p, int v) {
    int old;
    __asm__ volatile("ldaddal %w2, %w0, %1" : "=r"(old), "+Q"(*p) : "r"(v) : "memory");
    return old;
}

static inline int exchange(int *p, int v) {
    int old;
    __asm__ volatile("swpa %w2, %w0, %1" : "=r"(old), "+Q"(*p) : "r"(v) : "memory");
    return old;
}

static inline int compare_and_swap(int *p, int expected, int new) {
    __asm__ volatile("casal %w0, %w2, %1" : "+r"(expected), "+Q"(*p) : "r"(new) : "memory");
    return expected;
}

void *run(void *arg) {
    fetch_add(&count, 2);
    __asm__ volatile("stclr %w1, %0" : "+Q"(bits) : "r"(arg ? 0x0f : 0xf0));
    __asm__ volatile("staddb %w1, %0" : "+Q"(small) : "r"(5));
    if (exchange(&taken, 1) == 0)
        fetch_add(&count, 10);
    __asm__ volatile("isb");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, &count);
    run(0);
    pthread_join(t, 0);
    __VERIFIER_assert(count == 14 && bits == 0 && small == 4);
    __VERIFIER_assert(compare_and_swap(&word, 4, 9) == 5 && word == 5);
    __VERIFIER_assert(compare_and_swap(&word, 5, 9) == 5 && word == 9);
    return 0;
}
