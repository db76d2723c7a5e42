// expect: SAFE
// Ten thousand ways to call a function: more than are inlined. Automata then have one copy of each function.
#include <assert.h>
#include <pthread.h>

int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define TEN_WAYS(name, next) \
    static void name(unsigned way) { \
        switch (way % 10) { \
        case 0: next(way / 10); break; \
        case 1: next(way / 10 + 1); break; \
        case 2: next(way / 10 + 2); break; \
        case 3: next(way / 10 + 3); break; \
        case 4: next(way / 10 + 4); break; \
        case 5: next(way / 10 + 5); break; \
        case 6: next(way / 10 + 6); break; \
        case 7: next(way / 10 + 7); break; \
        case 8: next(way / 10 + 8); break; \
        default: next(way / 10 + 9); break; \
        } \
    }

static void add(unsigned way) {
    pthread_mutex_lock(&lock);
    sum += way > 0;
    pthread_mutex_unlock(&lock);
}

TEN_WAYS(units, add)
TEN_WAYS(tens, units)
TEN_WAYS(hundreds, tens)
TEN_WAYS(thousands, hundreds)

static void *work(void *unused) {
    thousands(12345);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(sum <= 2);
}
