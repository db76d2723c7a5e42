// args: --property assertions,races
// expect: SAFE
// What kernels and older code wrote before there were atomics, by two threads at once.
#include <assert.h>
#include <pthread.h>

int count, taken, word = 5;

static inline int fetch_add(int *p, int v) {
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static inline int exchange(int *p, int v) {
    __asm__ volatile("xchgl %0, %1" : "=r"(v), "=m"(*p) : "0"(v), "m"(*p) : "memory");
    return v;
}

static inline int compare_and_swap(int *p, int old, int new) {
    int found;
    __asm__ volatile("lock cmpxchgl %1, %2" : "=a"(found) : "r"(new), "m"(*p), "0"(old) : "memory");
    return found;
}

static inline char swap_if(int *p, int old, int new) {
    char done;
    __asm__ volatile("lock; cmpxchgl %2, %0; sete %1"
                     : "+m"(*p), "=q"(done)
                     : "r"(new), "a"(old)
                     : "memory", "cc");
    return done;
}

static inline char decrement_is_zero(int *p) {
    char zero;
    __asm__ volatile("lock; decl %0\n\tsete %1" : "+m"(*p), "=q"(zero) : : "memory", "cc");
    return zero;
}

void *run(void *arg) {
    fetch_add(&count, 2);
    __asm__ volatile("pause" : : : "memory");
    if (exchange(&taken, 1) == 0)
        *(int *)arg = 1;
    __asm__ volatile("mfence" : : : "memory");
    return 0;
}

int main(void) {
    pthread_t t;
    int mine = 0, other = 0;
    pthread_create(&t, 0, run, &other);
    run(&mine);
    pthread_join(t, 0);
    assert(fetch_add(&count, 0) == 4);
    assert(mine + other == 1);
    assert(compare_and_swap(&word, 4, 9) == 5 && word == 5);
    assert(compare_and_swap(&word, 5, 9) == 5 && word == 9);
    assert(swap_if(&word, 9, 2) && !swap_if(&word, 9, 3) && word == 2);
    assert(!decrement_is_zero(&word) && decrement_is_zero(&word));
    return 0;
}
