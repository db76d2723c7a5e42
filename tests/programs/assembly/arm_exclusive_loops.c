// args: --property assertions,races -- --target=aarch64-linux-gnu
// expect: SAFE
// Loops of a load-exclusive and a store-exclusive, as headers for AArch64 have them.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);

int count, bits = 12, lock, plain, word = 5;
long wide;
int mine[2];

static inline int add_return(int *p, int i) {
    int result;
    unsigned failed;
    __asm__ volatile("1:	ldxr	%w0, %2\n"
                     "	add	%w0, %w0, %w3\n"
                     "	stlxr	%w1, %w0, %2\n"
                     "	cbnz	%w1, 1b\n"
                     "	dmb	ish"
                     : "=&r"(result), "=&r"(failed), "+Q"(*p)
                     : "Ir"(i)
                     : "memory");
    return result;
}

static inline long fetch_sub(long *p, long i) {
    long old, new;
    unsigned failed;
    __asm__ volatile("	prfm	pstl1strm, %3\n"
                     "1:	ldaxr	%0, %3\n"
                     "	sub	%1, %0, %4\n"
                     "	stlxr	%w2, %1, %3\n"
                     "	cbnz	%w2, 1b"
                     : "=&r"(old), "=&r"(new), "=&r"(failed), "+Q"(*p)
                     : "r"(i)
                     : "memory");
    return old;
}

static inline void clear(int *p, int i) {
    int tmp;
    unsigned failed;
    __asm__ volatile("1: ldxr %w0, [%2]; bic %w0, %w0, %w3; stxr %w1, %w0, [%2]; cbnz %w1, 1b"
                     : "=&r"(tmp), "=&r"(failed)
                     : "r"(p), "r"(i)
                     : "memory");
}

static inline int exchange(int *p, int i) {
    int old;
    unsigned failed;
    __asm__ volatile("1: ldaxr %w0, %2\n stlxr %w1, %w3, %2\n cbnz %w1, 1b"
                     : "=&r"(old), "=&r"(failed), "+Q"(*p)
                     : "r"(i)
                     : "memory");
    return old;
}

static inline int compare_and_swap(int *p, int expected, int new) {
    int old;
    unsigned tmp;
    __asm__ volatile("1:	ldxr	%w0, %2\n"
                     "	eor	%w1, %w0, %w3\n"
                     "	cbnz	%w1, 2f\n"
                     "	stlxr	%w1, %w4, %2\n"
                     "	cbnz	%w1, 1b\n"
                     "	dmb	ish\n"
                     "2:"
                     : "=&r"(old), "=&r"(tmp), "+Q"(*p)
                     : "r"(expected), "r"(new)
                     : "memory");
    return old;
}

static inline int swaps(int *p, int expected, int new) {
    int old, done;
    unsigned failed;
    __asm__ volatile("1: ldaxr %w0, %3\n cmp %w0, %w4\n b.ne 2f\n stxr %w1, %w5, %3\n cbnz %w1, 1b\n"
                     "2: cset %w2, eq"
                     : "=&r"(old), "=&r"(failed), "=r"(done), "+Q"(*p)
                     : "r"(expected), "r"(new)
                     : "memory", "cc");
    return done;
}

void *run(void *arg) {
    int *own = arg;
    *own = add_return(&count, 2);
    fetch_sub(&wide, 1);
    clear(&bits, own == mine ? 4 : 8);
    while (exchange(&lock, 1))
        __asm__ volatile("yield" : : : "memory");
    plain++;
    __asm__ volatile("dmb ish" : : : "memory");
    exchange(&lock, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, &mine[0]);
    run(&mine[1]);
    pthread_join(t, 0);
    __VERIFIER_assert(count == 4 && mine[0] + mine[1] == 6);
    __VERIFIER_assert(wide == -2 && bits == 0 && plain == 2);
    __VERIFIER_assert(compare_and_swap(&word, 4, 9) == 5 && word == 5);
    __VERIFIER_assert(compare_and_swap(&word, 5, 9) == 5 && word == 9);
    __VERIFIER_assert(!swaps(&word, 5, 1) && word == 9 && swaps(&word, 9, 1) && word == 1);
    return 0;
}
