// expect: UNSAFE assertions
// family: services
// A token bucket of atomics whose check and decrement are two steps: two callers share one token.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct limiter {
    atomic_int tokens;
    atomic_int refused;
    atomic_int passed;
};

static struct limiter limiter = {.tokens = WORKERS};

static bool limiter_admit(struct limiter *l) {
    if (atomic_load(&l->tokens) <= 0) {
        atomic_fetch_add(&l->refused, 1);
        return false;
    }
    int before = atomic_fetch_sub(&l->tokens, 1);
    assert(before > 0); //~ assertions
    atomic_fetch_add(&l->passed, 1);
    return true;
}

static void limiter_return(struct limiter *l) { atomic_fetch_add(&l->tokens, 1); }

static void *client(void *arg) {
    int *answers = arg;
    if (limiter_admit(&limiter))
        *answers = 1;
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    int answers[WORKERS] = {0};
    int own = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, client, &answers[i]);
    if (limiter_admit(&limiter))
        own = 1;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], 0);
        own += answers[i];
    }
    assert(own == atomic_load(&limiter.passed));
    assert(own + atomic_load(&limiter.refused) == WORKERS + 1);
    for (int i = 0; i < own; i++)
        limiter_return(&limiter);
    return 0;
}
